// Includes nothing but lab.h, as nvcc allows: the CUDA names are there by themselves. Checks
// errors with a macro of its own.
#include "lab.h"
#include <cstdio>
#include <cstdlib>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t e = (call);                                                                    \
        if (e != cudaSuccess) {                                                                    \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));        \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

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
    TRY(cudaGetLastError());
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    size_t bytes_a = (size_t)m * k * sizeof(float);
    size_t bytes_b = (size_t)k * n * sizeof(float);
    size_t bytes_c = (size_t)m * n * sizeof(float);
    float *dA, *dB, *dC;
    TRY(cudaMalloc((void **)&dA, bytes_a));
    TRY(cudaMalloc((void **)&dB, bytes_b));
    TRY(cudaMalloc((void **)&dC, bytes_c));
    TRY(cudaMemcpy(dA, A, bytes_a, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(dB, B, bytes_b, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, dA, dB, dC);
    TRY(cudaDeviceSynchronize());
    TRY(cudaMemcpy(C, dC, bytes_c, cudaMemcpyDeviceToHost));
    TRY(cudaFree(dA));
    TRY(cudaFree(dB));
    TRY(cudaFree(dC));
}
