// matmul_host works through A in panels of 40 rows with one small pair of device buffers.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

__global__ void product(int m, int n, int k, const float *A, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
        sum += A[row * k + p] * B[p * n + col];
    C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(16, 16);
    dim3 grid((n + 15) / 16, (m + 15) / 16);
    product<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    const int panel = m < 40 ? m : 40;
    float *dA, *dB, *dC;
    CUDA_CHECK(cudaMalloc((void **)&dA, (size_t)panel * k * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&dB, (size_t)k * n * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&dC, (size_t)panel * n * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(dB, B, (size_t)k * n * sizeof(float), cudaMemcpyHostToDevice));
    for (int first = 0; first < m; first += panel) {
        int rows = m - first < panel ? m - first : panel;
        CUDA_CHECK(cudaMemcpy(dA, A + (size_t)first * k, (size_t)rows * k * sizeof(float),
                              cudaMemcpyHostToDevice));
        matmul_device(rows, n, k, dA, dB, dC);
        CUDA_CHECK(cudaMemcpy(C + (size_t)first * n, dC, (size_t)rows * n * sizeof(float),
                              cudaMemcpyDeviceToHost));
    }
    CUDA_CHECK(cudaFree(dA));
    CUDA_CHECK(cudaFree(dB));
    CUDA_CHECK(cudaFree(dC));
}
