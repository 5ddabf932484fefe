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

    // TODO 2: Work out which row and column of C this thread computes: x runs along a row.

    // TODO 3: Loop over the width / TILE phases. In each one:
    //   a) copy one element of A's tile and one of B's into shared memory. The tile of A moves right
    //      by TILE columns each phase, the tile of B down by TILE rows. Compute indices in size_t.
    //   b) wait until the whole block has copied.
    //   c) add the products of this thread's row of A's tile and column of B's tile to its sum.
    //   d) wait until the whole block has finished with the tiles.

    // TODO 4: Store the sum in C.
    (void)width, (void)A, (void)B, (void)C; // delete this line
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 5: Launch one block of TILE x TILE threads for each tile of C, and check the launch with
    // CUDA_CHECK_LAUNCH(). In this lab m, n and k are equal, and a multiple of 32.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}
