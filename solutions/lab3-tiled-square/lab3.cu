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
// BEGIN SOLUTION
// Build and run:  make lab3 SRC=solutions/lab3-tiled-square/lab3.cu && build/vgpu/lab3 128
// Grade:          ./grader lab3 --submission solutions/lab3-tiled-square/lab3.cu
// SKELETON: // Build and run:  make lab3 && build/vgpu/lab3 128     (with a GPU: build/gpu/lab3)
// SKELETON: // Grade:          ./grader lab3
// END SOLUTION

#include "cuda_check.h"
#include "lab.h"

#define TILE 32 // the width is a multiple of it; a block has TILE x TILE = 1024 threads

//                    B
//                 +-----+-----+-----+
//                 |     | B 0 |     |      The tile of C marked here is A 0 * B 0 in phase 0,
//                 +-----+-----+-----+      plus A 1 * B 1 in phase 1,
//                 |     | B 1 |     |      plus A 2 * B 2 in phase 2.
//                 +-----+-----+-----+
//    A            |     | B 2 |     |
//    +---+---+---++-----+-----+-----+
//    |   |   |   ||     |     |     |
//    +---+---+---++-----+-----+-----+
//    |A 0|A 1|A 2||     |  C  |     |
//    +---+---+---++-----+-----+-----+
//    |   |   |   ||     |     |     |
//    +---+---+---++-----+-----+-----+
__global__ void multiply_tiled(int width, const float *A, const float *B, float *C) {
    // TODO 1: Declare two TILE x TILE arrays of float in shared memory, for a tile of A and of B.
    // BEGIN SOLUTION
    __shared__ float tile_A[TILE][TILE];
    __shared__ float tile_B[TILE][TILE];
    // END SOLUTION

    // TODO 2: Work out which row and column of C this thread computes: x runs along a row.
    // BEGIN SOLUTION
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;
    // END SOLUTION

    // TODO 3: Loop over the width / TILE phases. In each one:
    //   a) copy one element of A's tile and one of B's into shared memory. The tile of A moves right
    //      by TILE columns each phase, the tile of B down by TILE rows. Compute indices in size_t.
    //   b) wait until the whole block has copied.
    //   c) add the products of this thread's row of A's tile and column of B's tile to its sum.
    //   d) wait until the whole block has finished with the tiles.
    // BEGIN SOLUTION
    size_t index_A = (size_t)row * width + x; // of the elements that this thread copies
    size_t index_B = (size_t)y * width + col;
    float sum = 0.0f;
    for (int phase = 0; phase < width / TILE; ++phase) {
        tile_A[y][x] = A[index_A];
        tile_B[y][x] = B[index_B];
        index_A += TILE;                 // one tile to the right
        index_B += (size_t)TILE * width; // one tile down
        __syncthreads();

        for (int p = 0; p < TILE; ++p)
            sum += tile_A[y][p] * tile_B[p][x];
        __syncthreads();
    }
    // END SOLUTION

    // TODO 4: Store the sum in C.
    // BEGIN SOLUTION
    C[(size_t)row * width + col] = sum;
    // SKELETON: (void)width, (void)A, (void)B, (void)C; // delete this line
    // END SOLUTION
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 5: Launch one block of TILE x TILE threads for each tile of C, and check the launch with
    // CUDA_CHECK_LAUNCH(). In this lab m, n and k are equal, and a multiple of 32.
    // BEGIN SOLUTION
    int width = m;
    (void)n, (void)k; // equal to m

    dim3 block(TILE, TILE);
    dim3 grid(width / TILE, width / TILE);
    multiply_tiled<<<grid, block>>>(width, A, B, C);
    CUDA_CHECK_LAUNCH();
    // SKELETON: (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
    // END SOLUTION
}
