// Both tiles are declared extern __shared__, and so begin at the same address.
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

// The tiles' size is given at the launch: TILE * TILE floats for each of the two.
__global__ void multiply_tiled(int width, const float *A, const float *B, float *C) {
    extern __shared__ float tileA[];
    extern __shared__ float tileB[];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int start = 0; start < width; start += TILE) {
        tileA[ty * TILE + tx] = A[(size_t)row * width + start + tx];
        tileB[ty * TILE + tx] = B[(size_t)(start + ty) * width + col];
        __syncthreads();

        for (int e = 0; e < TILE; ++e)
            sum += tileA[ty * TILE + e] * tileB[e * TILE + tx];
        __syncthreads();
    }
    C[(size_t)row * width + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)n, (void)k; // the same as m
    const int tiles = m / TILE;
    const size_t bytes = 2 * TILE * TILE * sizeof(float);
    multiply_tiled<<<dim3(tiles, tiles), dim3(TILE, TILE), bytes>>>(m, A, B, C);
    CUDA_CHECK_LAUNCH();
}
