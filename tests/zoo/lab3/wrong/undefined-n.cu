// A slip of one of the course texts: the loop bound is a name that does not exist here.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

#define TILE 16

__global__ void tiled(int n, const float *A, const float *B, float *C) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int p = 0; p < width / TILE; p++) {
        As[ty][tx] = A[row * n + p * TILE + tx];
        Bs[ty][tx] = B[(p * TILE + ty) * n + col];
        __syncthreads();
        for (int e = 0; e < TILE; e++)
            sum += As[ty][e] * Bs[e][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m;
    (void)k;
    dim3 block(TILE, TILE);
    dim3 grid(n / TILE, n / TILE);
    tiled<<<grid, block>>>(n, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
