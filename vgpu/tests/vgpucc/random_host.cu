// only: clang
// Arrays of random numbers by cuRAND's host calls, on the device and on the host. What is expected
// is what NVIDIA's libcurand gives (10.4, its host generator: -DREFERENCE, with g++ -x c++).
#include <cstdio>
#include <cuda_runtime.h>
#include <curand.h>

enum { MOST = 20000 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const int status = call;                                                                   \
        if (status != 0)                                                                           \
            printf("%s: %d\n", #call, status);                                                     \
    } while (0)

static curandStatus_t fill(curandGenerator_t g, unsigned *to, size_t n) {
    return curandGenerate(g, to, n);
}
static curandStatus_t fill(curandGenerator_t g, float *to, size_t n) {
    return curandGenerateUniform(g, to, n);
}
static curandStatus_t fill(curandGenerator_t g, double *to, size_t n) {
    return curandGenerateUniformDouble(g, to, n);
}

// The first, the last and the sum of n numbers, and one from between.
template <class T, class F>
static void show(const char *name, const char *format, bool on_host, size_t n, F make) {
    static T numbers[MOST];
    T *at = numbers;
    if (!on_host)
        CHECK(cudaMalloc(&at, n * sizeof *at));
    CHECK(make(at));
    if (!on_host) {
        CHECK(cudaMemcpy(numbers, at, n * sizeof *at, cudaMemcpyDeviceToHost));
        CHECK(cudaFree(at));
    }
    double sum = 0;
    printf("%s:", name);
    for (size_t i = 0; i < n; i++) {
        sum += numbers[i];
        if (i < 3 || i == n / 2 || i == n - 1)
            printf(format, numbers[i]);
    }
    printf(" sum %.2f\n", sum);
}

static void all(bool on_host, unsigned long long seed) {
    curandGenerator_t g;
    printf("seed %llu\n", seed);
    CHECK((on_host ? curandCreateGeneratorHost : curandCreateGenerator)(
        &g, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK(curandSetPseudoRandomGeneratorSeed(g, seed));
    auto ints = [&](size_t n) {
        show<unsigned>("integers", " %u", on_host, n, [&](unsigned *at) { return fill(g, at, n); });
    };
    ints(20000);
    ints(7);
    show<float>("floats", " %.9g", on_host, 5000, [&](float *at) { return fill(g, at, 5000); });
    show<double>("doubles", " %.17g", on_host, 4100,
                 [&](double *at) { return fill(g, at, 4100); });
    ints(3);
    show<float>("normal", " %.4f", on_host, 10000,
                [&](float *at) { return curandGenerateNormal(g, at, 10000, 1, 2); });
    show<double>("normal doubles", " %.6f", on_host, 10,
                 [&](double *at) { return curandGenerateNormalDouble(g, at, 10, 0, 1); });
    show<float>("log-normal", " %.4f", on_host, 6,
                [&](float *at) { return curandGenerateLogNormal(g, at, 6, 0, 0.5f); });
    show<double>("log-normal doubles", " %.6f", on_host, 6,
                 [&](double *at) { return curandGenerateLogNormalDouble(g, at, 6, 0, 0.5); });
    ints(3);
    CHECK(curandSetGeneratorOffset(g, 5000));
    ints(9000);
    CHECK(curandSetPseudoRandomGeneratorSeed(g, seed + 1)); // the position stays
    ints(3);
    CHECK(curandSetGeneratorOffset(g, 0));
    float three[3];
    CHECK(curandGenerateNormal(g, three, 3, 0, 1)); // normal numbers come in pairs
    CHECK(curandDestroyGenerator(g));
}

int main() {
    const unsigned long long seeds[] = {0, 1234, 0xdeadbeefcafe1234};
    for (unsigned long long seed : seeds) {
#ifdef REFERENCE
        all(true, seed);
        all(true, seed);
#else
        all(true, seed);
        all(false, seed);
#endif
    }
#ifndef REFERENCE
    curandGenerator_t g;
    float *short_of, on_host[4];
    cudaMalloc(&short_of, 16);
    printf("%d\n", (int)curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MT19937));
    CHECK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW));
    printf("%d\n", (int)curandGenerateUniform(g, on_host, 4));
    printf("%d\n", (int)curandGenerateUniform(g, short_of, 5));
    CHECK(curandDestroyGenerator(g));
    printf("%d\n", (int)curandGenerateUniform(g, short_of, 4));
    cudaFree(short_of);
#endif
}
