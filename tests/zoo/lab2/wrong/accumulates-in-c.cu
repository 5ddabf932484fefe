// Wrong: Sums up in C itself and leaves out to clear it first.
#include "lab.h"
#include <assert.h>
#include <stdio.h>

inline cudaError_t checkCuda(cudaError_t result) {
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
    return result;
}

__global__ void matrixMul(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    assert(blockDim.z == 1);
    if (row < m && col < n) {
        for (int i = 0; i < k; i++) {
            // Accumulate results for a single element
            c[row * n + col] += a[row * k + i] * b[i * n + col];
        }
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int THREADS = 32;
    dim3 threads(THREADS, THREADS);
    dim3 blocks((n + THREADS - 1) / THREADS, (m + THREADS - 1) / THREADS);
    matrixMul<<<blocks, threads>>>(A, B, C, m, n, k);
    checkCuda(cudaGetLastError());
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *d_a, *d_b, *d_c;
    checkCuda(cudaMalloc(&d_a, m * k * sizeof(float)));
    checkCuda(cudaMalloc(&d_b, k * n * sizeof(float)));
    checkCuda(cudaMalloc(&d_c, m * n * sizeof(float)));
    checkCuda(cudaMemcpy(d_a, A, m * k * sizeof(float), cudaMemcpyHostToDevice));
    checkCuda(cudaMemcpy(d_b, B, k * n * sizeof(float), cudaMemcpyHostToDevice));
    matmul_device(m, n, k, d_a, d_b, d_c);
    checkCuda(cudaMemcpy(C, d_c, m * n * sizeof(float), cudaMemcpyDeviceToHost));
    checkCuda(cudaFree(d_a));
    checkCuda(cudaFree(d_b));
    checkCuda(cudaFree(d_c));
}
