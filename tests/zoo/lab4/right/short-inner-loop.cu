// Does not zero-fill: the inner loop stops where the matrices end, and outside threads compute
// nothing.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

#define TILE 16

__global__ void tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    const bool mine = row < m && col < n;
    float sum = 0.0f;
    for (int p0 = 0; p0 < k; p0 += TILE) {
        const int depth = min(TILE, k - p0);
        if (row < m && tx < depth)
            As[ty][tx] = A[row * k + p0 + tx];
        if (col < n && ty < depth)
            Bs[ty][tx] = B[(p0 + ty) * n + col];
        __syncthreads();
        if (mine)
            for (int e = 0; e < depth; e++)
                sum += As[ty][e] * Bs[e][tx];
        __syncthreads();
    }
    if (mine)
        C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(TILE, TILE);
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    tiled<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
