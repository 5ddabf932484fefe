#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int p = 0; p < k; p++)
            sum += A[row * k + p] * B[p * n + col];
        C[row * n + col] = sum;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
    multiply<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
