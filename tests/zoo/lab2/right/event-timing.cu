// Times itself with events and prints the duration: honest chatter on stdout must not hurt.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>
#include <stdio.h>

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
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
    CUDA_CHECK(cudaEventRecord(start, 0));
    product<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(stop, 0));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = 0.0f;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    printf("Time to generate: %3.1f ms, %u blocks of %u threads\n", ms, grid.x * grid.y,
           block.x * block.y);
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
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
