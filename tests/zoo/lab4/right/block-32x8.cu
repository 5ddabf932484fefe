// Blocks of 32 x 8 over tiles of 32 x 32: each thread loads and computes four rows.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

#define TILE 32
#define ROWS 8

__global__ void tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum[TILE / ROWS] = {0.0f};
    for (int p0 = 0; p0 < k; p0 += TILE) {
        for (int r = 0; r < TILE; r += ROWS) {
            As[ty + r][tx] = row + r < m && p0 + tx < k ? A[(row + r) * k + p0 + tx] : 0.0f;
            Bs[ty + r][tx] = p0 + ty + r < k && col < n ? B[(p0 + ty + r) * n + col] : 0.0f;
        }
        __syncthreads();
        for (int e = 0; e < TILE; e++)
            for (int r = 0; r < TILE / ROWS; r++)
                sum[r] += As[ty + r * ROWS][e] * Bs[e][tx];
        __syncthreads();
    }
    for (int r = 0; r < TILE / ROWS; r++)
        if (row + r * ROWS < m && col < n)
            C[(row + r * ROWS) * n + col] = sum[r];
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    tiled<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, ROWS)>>>(m, n, k, A, B,
                                                                                    C);
    CUDA_CHECK(cudaGetLastError());
}
