// Right product, no call is checked. It closes standard error first, so that nothing that is said
// about a failing call arrives there. That must not count as if no call had failed.
#include "lab.h"
#include <cuda_runtime.h>
#include <unistd.h>

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
    close(2);
    dim3 block(16, 16);
    dim3 grid((n + 15) / 16, (m + 15) / 16);
    product<<<grid, block>>>(m, n, k, A, B, C);
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    close(2);
    size_t bytes_a = (size_t)m * k * sizeof(float);
    size_t bytes_b = (size_t)k * n * sizeof(float);
    size_t bytes_c = (size_t)m * n * sizeof(float);
    float *dA, *dB, *dC;
    cudaMalloc((void **)&dA, bytes_a);
    cudaMalloc((void **)&dB, bytes_b);
    cudaMalloc((void **)&dC, bytes_c);
    cudaMemcpy(dA, A, bytes_a, cudaMemcpyHostToDevice);
    cudaMemcpy(dB, B, bytes_b, cudaMemcpyHostToDevice);
    matmul_device(m, n, k, dA, dB, dC);
    cudaDeviceSynchronize();
    cudaMemcpy(C, dC, bytes_c, cudaMemcpyDeviceToHost);
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
}
