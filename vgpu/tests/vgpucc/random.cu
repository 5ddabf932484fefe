// only: clang
// Random numbers in kernels. What is expected is what NVIDIA's own curand_kernel.h gives (CUDA
// 13.0, by vgpucc --front nvcc); normal numbers have fewer digits here than sines are exact to.
#include <cstdio>
#include <curand_kernel.h>

// Each value by itself: compilers differ in which of a call's arguments they evaluate first.
#define SAY(format, call)                                                                          \
    do {                                                                                           \
        auto value = call;                                                                         \
        printf(" " format, value);                                                                 \
    } while (0)

template <class S>
__global__ void numbers(unsigned long long seed, unsigned long long sequence,
                        unsigned long long offset) {
    S s;
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 3; i++)
        SAY("%u", curand(&s));
    skipahead(5, &s);
    SAY("%u", curand(&s));
    skipahead_sequence(3, &s);
    SAY("%u", curand(&s));
    SAY("%.9g", curand_uniform(&s));
    SAY("%.17g", curand_uniform_double(&s));
    SAY("%.17g", curand_uniform_double(&s));
    for (int i = 0; i < 3; i++)
        SAY("%.4f", curand_normal(&s));
    SAY("%u", curand(&s));
    for (int i = 0; i < 3; i++)
        SAY("%.6f", curand_normal_double(&s));
    SAY("%.4f", curand_log_normal(&s, 1.0f, 0.5f));
    SAY("%.4f", curand_log_normal_double(&s, 1.0, 0.5));
    SAY("%.4f", curand_normal2(&s).y);
    SAY("%.6f", curand_normal2_double(&s).y);
    SAY("%u", curand(&s));
    printf("\n");
}

__global__ void fours() {
    curandStatePhilox4_32_10_t s;
    curand_init(77, 5, 6, &s);
    for (int i = 0; i < 4; i++) {
        const uint4 x = curand4(&s);
        printf("%u %u %u %u", x.x, x.y, x.z, x.w);
        SAY("%u\n", curand(&s));
    }
    const float4 u = curand_uniform4(&s), n = curand_normal4(&s), l = curand_log_normal4(&s, 0, 1);
    const double2 d = curand_uniform2_double(&s), e = curand_normal2_double(&s);
    printf("%.9g %.9g %.9g %.9g %.17g %.17g\n", u.x, u.y, u.z, u.w, d.x, d.y);
    printf("%.4f %.4f %.4f %.4f %.6f %.6f\n", n.x, n.y, n.z, n.w, e.x, e.y);
    printf("%.4f %.4f %.4f %.4f\n", l.x, l.y, l.z, l.w);
    const double4 u4 = curand_uniform4_double(&s), n4 = curand_normal4_double(&s),
                  l4 = curand_log_normal4_double(&s, 0, 1);
    printf("%.17g %.17g %.6f %.6f %.6f %.6f\n", u4.x, u4.w, n4.y, n4.z, l4.x, l4.w);
    SAY("%.4f\n", curand_log_normal2(&s, 0, 1).y);
    SAY("%.4f\n", curand_log_normal2_double(&s, 0, 1).y);
}

int main() {
    const unsigned long long cases[][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {1234, 0, 1},
        {1234, 1, 0},
        {0xdeadbeefcafe1234, 1000000, 123456789012345},
        {42, 0x3ffffffffffff, 0xfffffffffff7}};
    for (auto &c : cases) {
        numbers<curandStateXORWOW_t><<<1, 1>>>(c[0], c[1], c[2]);
        numbers<curandStatePhilox4_32_10_t><<<1, 1>>>(c[0], c[1], c[2]);
        numbers<curandStateMRG32k3a_t><<<1, 1>>>(c[0], c[1], c[2]);
    }
    fours<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
