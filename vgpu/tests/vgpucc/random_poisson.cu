// only: clang
// Numbers of Poisson's distribution in kernels, with small, middling and large means: those that
// NVIDIA's own curand_kernel.h gives (CUDA 13.0, by vgpucc --front nvcc).
#include <cstdio>
#include <curand_kernel.h>

template <class S> __global__ void draw(double mean, unsigned int *out, int each) {
    S s;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(1234, thread, 0, &s);
    for (int i = 0; i < each; i++)
        out[thread * each + i] = curand_poisson(&s, mean);
    out[gridDim.x * blockDim.x * each + thread] = curand(&s); // how far the state has come
}

__global__ void draw_fours(double mean, uint4 *out) {
    curandStatePhilox4_32_10_t s;
    curand_init(99, threadIdx.x, 0, &s);
    out[threadIdx.x] = curand_poisson4(&s, mean);
}

static void tell(const char *of, double mean, const unsigned int *n, int count) {
    double sum = 0, squares = 0;
    unsigned int mixed = 0;
    for (int i = 0; i < count; i++) {
        mixed = mixed * 2654435761u + n[i];
        sum += n[i];
        squares += (double)n[i] * n[i];
    }
    const double m = sum / count;
    printf("%s %g: %u %u %u %u, mean %.4g, variance %.4g, all %08x\n", of, mean, n[0], n[1], n[2],
           n[3], m, squares / count - m * m, mixed);
}

template <class S> static void numbers(const char *of, double mean) {
    const int threads = 256, each = 8, count = threads * each;
    unsigned int *x;
    cudaMallocManaged(&x, (count + threads) * sizeof *x);
    draw<S><<<threads / 64, 64>>>(mean, x, each);
    cudaDeviceSynchronize();
    tell(of, mean, x, count);
    tell("  states", mean, x + count, threads);
    cudaFree(x);
}

int main() {
    for (double mean : {0.5, 4.0, 63.0, 64.0, 150.5, 900.0, 4001.0, 1e6}) {
        uint4 *four;
        numbers<curandStateXORWOW_t>("XORWOW", mean);
        numbers<curandStatePhilox4_32_10_t>("Philox", mean);
        numbers<curandStateMRG32k3a_t>("MRG32k3a", mean);
        cudaMallocManaged(&four, 64 * sizeof *four);
        draw_fours<<<1, 64>>>(mean, four);
        cudaDeviceSynchronize();
        tell("fours", mean, &four->x, 256);
        cudaFree(four);
    }
}
