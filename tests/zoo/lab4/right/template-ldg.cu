// Template tile, __ldg loads, size_t indices, const everything.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

template <int T>
__global__ void tiled(const size_t m, const size_t n, const size_t k, const float *__restrict__ A,
                      const float *__restrict__ B, float *__restrict__ C) {
    __shared__ float a[T][T], b[T][T];
    const size_t row = size_t(blockIdx.y) * T + threadIdx.y;
    const size_t col = size_t(blockIdx.x) * T + threadIdx.x;
    float sum = 0.0f;
    for (size_t p = 0; p < (k + T - 1) / T; ++p) {
        const size_t pa = p * T + threadIdx.x, pb = p * T + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < m && pa < k ? __ldg(A + row * k + pa) : 0.0f;
        b[threadIdx.y][threadIdx.x] = pb < k && col < n ? __ldg(B + pb * n + col) : 0.0f;
        __syncthreads();
#pragma unroll
        for (int e = 0; e < T; ++e)
            sum = fmaf(a[threadIdx.y][e], b[e][threadIdx.x], sum);
        __syncthreads();
    }
    if (row < m && col < n)
        C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    constexpr int T = 16;
    tiled<T><<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
