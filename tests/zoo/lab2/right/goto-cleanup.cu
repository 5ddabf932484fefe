// C style: one status variable, one exit with goto, messages by hand through cudaGetErrorString.
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
    dim3 block(16, 16);
    dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y, 1);
    product<<<grid, block>>>(m, n, k, A, B, C);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess)
        fprintf(stderr, "launch: %s\n", cudaGetErrorString(err));
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *d[3] = {NULL, NULL, NULL};
    size_t bytes[3] = {sizeof(float) * m * k, sizeof(float) * k * n, sizeof(float) * m * n};
    cudaError_t err = cudaSuccess;
    for (int i = 0; i < 3; i++)
        if ((err = cudaMalloc((void **)&d[i], bytes[i])) != cudaSuccess)
            goto out;
    if ((err = cudaMemcpy(d[0], A, bytes[0], cudaMemcpyHostToDevice)) != cudaSuccess)
        goto out;
    if ((err = cudaMemcpy(d[1], B, bytes[1], cudaMemcpyHostToDevice)) != cudaSuccess)
        goto out;
    matmul_device(m, n, k, d[0], d[1], d[2]);
    if ((err = cudaDeviceSynchronize()) != cudaSuccess)
        goto out;
    err = cudaMemcpy(C, d[2], bytes[2], cudaMemcpyDeviceToHost);
out:
    for (int i = 0; i < 3; i++)
        if (d[i] != NULL)
            cudaFree(d[i]);
    if (err != cudaSuccess)
        fprintf(stderr, "matmul_host: %s (%s)\n", cudaGetErrorName(err), cudaGetErrorString(err));
}
