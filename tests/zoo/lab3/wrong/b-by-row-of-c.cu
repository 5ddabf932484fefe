// The row of B's tile is the thread's row of C, not of the tile.
// Lab 3: tiles in shared memory, for square matrices whose size is a multiple of the tile.
//
// The idea:
//   - In lab 2, n threads read each element of A from global memory, and m threads each one of B.
//     Global memory is slow; shared memory, on the chip and common to one block, is fast.
//   - A block computes one tile of C, TILE x TILE elements. For that it needs TILE rows of A and
//     TILE columns of B: too much for shared memory at once, so it goes through them in phases.
//   - In each phase every thread copies one element of A and one of B into shared memory. Then
//     every thread uses TILE of each: TILE times fewer reads from global memory.
//   - A barrier, __syncthreads(), makes every thread of the block wait for the others. Each phase
//     needs two: one before the tiles are used, one before they are overwritten.
//
// Build and run:  make lab3 && build/vgpu/lab3 128     (with a GPU: build/gpu/lab3)
// Grade:          ./grader lab3

#include "cuda_check.h"
#include "lab.h"

#define TILE 32 // the width is a multiple of it; a block has TILE x TILE = 1024 threads

__device__ inline size_t at(int row, int col, int width) {
    return (size_t)row * width + col;
}

__global__ void multiply_tiled(int width, const float *A, const float *B, float *C) {
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = TILE * blockIdx.y + ty;
    int col = TILE * blockIdx.x + tx;
    int phases = width / TILE;

    float Cvalue = 0.0f;
    for (int phase = 0; phase < phases; ++phase) {
        // A's tile moves to the right, B's tile moves down
        tileA[ty][tx] = A[at(row, phase * TILE + tx, width)];
        tileB[ty][tx] = B[at(phase * TILE + row, col, width)];
        __syncthreads();

        for (int p = 0; p < TILE; ++p)
            Cvalue += tileA[ty][p] * tileB[p][tx];
        __syncthreads();
    }

    C[at(row, col, width)] = Cvalue;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)n, (void)k; // square
    dim3 dimBlock(TILE, TILE);
    dim3 dimGrid(m / TILE, m / TILE);
    multiply_tiled<<<dimGrid, dimBlock>>>(m, A, B, C);
    CUDA_CHECK_LAUNCH();
}
