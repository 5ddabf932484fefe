// The edge test of one course text, retyped: it compares m0 * k + tx with k, so edge tiles of A
// are zero-filled from the second phase on.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

#define TILE 16

__global__ void tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    int first = k * TILE * blockIdx.y, last = first + k - 1;
    float sum = 0.0f;
    for (int a = first, b = TILE * blockIdx.x; a <= last; a += TILE, b += TILE * n) {
        As[ty][tx] = a * k + tx < k && row < m ? A[a + k * ty + tx] : 0.0f;
        Bs[ty][tx] = b / n + ty < k && col < n ? B[b + n * ty + tx] : 0.0f;
        __syncthreads();
        for (int e = 0; e < TILE; e++)
            sum += As[ty][e] * Bs[e][tx];
        __syncthreads();
    }
    if (row < m && col < n)
        C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(TILE, TILE);
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    tiled<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
