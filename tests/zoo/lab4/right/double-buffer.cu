// Two pairs of tiles, one barrier a phase, edges zero-filled.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

#define TILE 16

struct Tiles {
    float a[TILE][TILE], b[TILE][TILE];
};

__device__ void load(Tiles &t, int p0, int m, int n, int k, const float *A, const float *B) {
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    t.a[ty][tx] = row < m && p0 + tx < k ? A[row * k + p0 + tx] : 0.0f;
    t.b[ty][tx] = p0 + ty < k && col < n ? B[(p0 + ty) * n + col] : 0.0f;
}

__global__ void tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ Tiles tiles[2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    int now = 0;
    load(tiles[now], 0, m, n, k, A, B);
    __syncthreads();
    for (int p0 = 0; p0 < k; p0 += TILE, now ^= 1) {
        if (p0 + TILE < k)
            load(tiles[now ^ 1], p0 + TILE, m, n, k, A, B);
        for (int e = 0; e < TILE; e++)
            sum += tiles[now].a[ty][e] * tiles[now].b[e][tx];
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
