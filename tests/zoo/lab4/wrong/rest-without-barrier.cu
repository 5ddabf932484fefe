// Behind the last whole tile there is no barrier, and the rest overwrites the tiles.
#include "cuda_check.h"
#include "lab.h"

#define TILE 32

// A grid may have 2,147,483,647 blocks along x, but only 65,535 along y.
#define MAX_GRID_HEIGHT 65535

__global__ void multiply_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float tile_A[TILE][TILE];
    __shared__ float tile_B[TILE][TILE];

    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;
    int whole = k / TILE; // phases with whole tiles
    int rest = k % TILE;  // columns of A and rows of B after these

    float sum = 0.0f;
    for (int phase = 0; phase < whole; ++phase) {
        tile_A[y][x] = row < m ? A[(size_t)row * k + phase * TILE + x] : 0.0f;
        tile_B[y][x] = col < n ? B[(size_t)(phase * TILE + y) * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int p = 0; p < TILE; ++p)
            sum += tile_A[y][p] * tile_B[p][x];
        if (phase + 1 < whole) // the tiles are overwritten in the next phase
            __syncthreads();
    }

    // The last, narrow tiles.
    if (rest > 0) {
        int p0 = whole * TILE;
        if (x < rest)
            tile_A[y][x] = row < m ? A[(size_t)row * k + p0 + x] : 0.0f;
        if (y < rest)
            tile_B[y][x] = col < n ? B[(size_t)(p0 + y) * n + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < rest; ++p)
            sum += tile_A[y][p] * tile_B[p][x];
    }

    if (row < m && col < n)
        C[(size_t)row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int max_rows = MAX_GRID_HEIGHT * TILE;
    for (int first = 0; first < m; first += max_rows) {
        int rows = m - first < max_rows ? m - first : max_rows;
        dim3 block(TILE, TILE);
        dim3 grid((n + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
        multiply_tiled<<<grid, block>>>(rows, n, k, A + (size_t)first * k, B,
                                        C + (size_t)first * n);
        CUDA_CHECK_LAUNCH();
    }
}
