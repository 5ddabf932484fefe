// The guard of A compares its column with n.
#include "cuda_check.h"
#include "lab.h"

#define TILE 16

__global__ void matmul_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];

    // one long row of blocks: block number = tile of C, row by row
    int tiles_x = (n + TILE - 1) / TILE;
    int by = blockIdx.x / tiles_x, bx = blockIdx.x % tiles_x;
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    int r = by * TILE + y, c = bx * TILE + x;

    float sum = 0;
    int phases = (k + TILE - 1) / TILE;
    for (int t = 0; t < phases; t++) {
        int ka = t * TILE + x; // column of A
        int kb = t * TILE + y; // row of B
        As[y][x] = (r < m && ka < n) ? A[(size_t)r * k + ka] : 0.0f;
        Bs[y][x] = (kb < k && c < n) ? B[(size_t)kb * n + c] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int p = 0; p < TILE; p++)
            sum += As[y][p] * Bs[p][x];
        __syncthreads();
    }
    if (r < m && c < n)
        C[(size_t)r * n + c] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int tiles = ((m + TILE - 1) / TILE) * ((n + TILE - 1) / TILE);
    matmul_tiled<<<tiles, TILE * TILE>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
