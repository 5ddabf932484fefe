// Wrong: Kahan summation of products that were rounded to half first.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_fp16.h>

__global__ void product(int m, int n, int k, const float *A, const float *B, float *C) {
    const long long count = (long long)m * n;
    for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < count; e += (long long)gridDim.x * blockDim.x) {
        const int row = (int)(e / n), col = (int)(e % n);
        float hi = 0, err = 0; // Kahan
        for (int p = 0; p < k; ++p) {
            const float y = __half2float(__float2half(A[(size_t)row * k + p] * B[(size_t)p * n + col])) - err;
            const float t = hi + y;
            err = (t - hi) - y;
            hi = t;
        }
        C[e] = hi;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int minGrid = 0, block = 0, dev, sms;
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, product, 0, 0));
    CUDA_CHECK(cudaGetDevice(&dev));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
    cudaDeviceProp prop;
    CUDA_CHECK(cudaGetDeviceProperties(&prop, dev));
    if (block > prop.maxThreadsPerBlock)
        block = prop.maxThreadsPerBlock;
    long long blocks = ((long long)m * n + block - 1) / block;
    if (blocks > 8LL * sms)
        blocks = 8LL * sms;
    product<<<(unsigned)blocks, block>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *a = NULL, *b = NULL, *c = NULL;
    size_t free_bytes, total;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    if (((size_t)m * k + (size_t)k * n + (size_t)m * n) * sizeof(float) > free_bytes) {
        fprintf(stderr, "too large for this device\n");
        return;
    }
    CUDA_CHECK(cudaMalloc((void **)&a, (size_t)m * k * sizeof *a));
    CUDA_CHECK(cudaMalloc((void **)&b, (size_t)k * n * sizeof *b));
    CUDA_CHECK(cudaMalloc((void **)&c, (size_t)m * n * sizeof *c));
    CUDA_CHECK(cudaMemcpyAsync(a, A, (size_t)m * k * sizeof *a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpyAsync(b, B, (size_t)k * n * sizeof *b, cudaMemcpyHostToDevice, 0));
    matmul_device(m, n, k, a, b, c);
    CUDA_CHECK(cudaMemcpyAsync(C, c, (size_t)m * n * sizeof *c, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaStreamSynchronize(0));
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(c));
}
