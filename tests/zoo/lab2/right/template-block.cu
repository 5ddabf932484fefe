// Block shape as template parameters of kernel and launcher.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

template <int BX, int BY>
__global__ void product(int m, int n, int k, const float *A, const float *B, float *C) {
    const int col = blockIdx.x * BX + threadIdx.x;
    const int row = blockIdx.y * BY + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
#pragma unroll 4
    for (int p = 0; p < k; ++p)
        sum += A[row * k + p] * B[p * n + col];
    C[row * n + col] = sum;
}

template <int BX, int BY>
static void launch(int m, int n, int k, const float *A, const float *B, float *C) {
    product<BX, BY><<<dim3((n + BX - 1) / BX, (m + BY - 1) / BY), dim3(BX, BY)>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    if (n >= 32)
        launch<32, 8>(m, n, k, A, B, C);
    else
        launch<8, 32>(m, n, k, A, B, C);
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    size_t bytes_a = (size_t)m * k * sizeof(float);
    size_t bytes_b = (size_t)k * n * sizeof(float);
    size_t bytes_c = (size_t)m * n * sizeof(float);
    float *dA, *dB, *dC;
    CUDA_CHECK(cudaMalloc((void **)&dA, bytes_a));
    CUDA_CHECK(cudaMalloc((void **)&dB, bytes_b));
    CUDA_CHECK(cudaMalloc((void **)&dC, bytes_c));
    CUDA_CHECK(cudaMemcpy(dA, A, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dB, B, bytes_b, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, dA, dB, dC);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(C, dC, bytes_c, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(dA));
    CUDA_CHECK(cudaFree(dB));
    CUDA_CHECK(cudaFree(dC));
}
