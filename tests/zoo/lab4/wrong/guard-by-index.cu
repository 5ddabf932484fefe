// The guard compares the index with m * n, so columns beyond n belong to the next row.
// Lab 4: tiles in shared memory, for matrices of any size.
//
// The idea:
//   - Start from lab 3. When a size is not a multiple of TILE, the last tiles stick out of the
//     matrices: reading there is a mistake, at best a crash, at worst a wrong result.
//   - A zero adds nothing to a sum. So where a tile sticks out of A or B, fill it with zeros
//     instead of reading: the edge tiles then need no code of their own.
//   - Where the tile sticks out of C, there is nothing to store. But such a thread cannot leave
//     early: it still copies elements that others use, and every thread of the block must reach
//     every barrier.
//   - Reading A, reading B and storing C have three different edges: (m, k), (k, n) and (m, n).
//
// Build and run:  make lab4 && build/vgpu/lab4 70 50 90     (with a GPU: build/gpu/lab4)
// Grade:          ./grader lab4

#include "cuda_check.h"
#include "lab.h"

#define TILE 32 // a block has TILE x TILE = 1024 threads and computes a tile of C

// A grid may have 2,147,483,647 blocks along x, but only 65,535 along y.
#define MAX_GRID_HEIGHT 65535

__global__ void multiply_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float As[TILE * TILE];
    __shared__ float Bs[TILE * TILE];
    const int here = threadIdx.y * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    float sum = 0.0f;
    for (int start = 0; start < k; start += TILE) {
        As[here] = 0.0f;
        Bs[here] = 0.0f;
        if (row < m && start + (int)threadIdx.x < k)
            As[here] = A[(size_t)row * k + start + threadIdx.x];
        if (col < n && start + (int)threadIdx.y < k)
            Bs[here] = B[(size_t)(start + threadIdx.y) * n + col];
        __syncthreads();

        const float *a = As + threadIdx.y * TILE;
        const float *b = Bs + threadIdx.x;
        for (int p = 0; p < TILE; ++p, b += TILE)
            sum += a[p] * *b;
        __syncthreads();
    }

    size_t index = (size_t)row * n + col;
    if (index < (size_t)m * n)
        C[index] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(TILE, TILE);
    int tile_columns = (n + TILE - 1) / TILE;
    int tile_rows = (m - 1) / TILE + 1;
    for (int t = 0; t < tile_rows; t += MAX_GRID_HEIGHT) {
        int height = min(tile_rows - t, MAX_GRID_HEIGHT);
        int first = t * TILE;
        int rows = min(m - first, height * TILE);
        multiply_tiled<<<dim3(tile_columns, height), block>>>(rows, n, k, A + (size_t)first * k, B,
                                                              C + (size_t)first * n);
        CUDA_CHECK_LAUNCH();
    }
}
