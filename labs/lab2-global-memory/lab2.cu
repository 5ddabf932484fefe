// Lab 2: the first kernel. One thread computes one element of C, straight from global memory.
//
// The idea:
//   - C has m * n elements, and each can be computed independently of the others. So start m * n
//     threads, and let each run the loop over p that the CPU ran for one element.
//   - Threads come in blocks, blocks in a grid. Both are two-dimensional here, like C itself: x runs
//     along a row of C, y down a column.
//   - The 32 threads of a warp have consecutive threadIdx.x, so col = x lets them read 32
//     neighbours of B, and write 32 neighbours of C, in one go ("coalesced").
//   - A block has a fixed size, C has any. The last blocks reach beyond C's edge: such threads must
//     not touch memory.
//
// Build and run:  make lab2 && build/vgpu/lab2 128     (with a GPU: build/gpu/lab2)
// Grade:          ./grader lab2

#include "cuda_check.h"
#include "lab.h"

#define BLOCK_WIDTH  32 // threads of a block along x: one warp, 32 columns of C
#define BLOCK_HEIGHT 8  // and along y: 8 rows of C, 256 threads in all

// A grid may have 2,147,483,647 blocks along x, but only 65,535 along y.
#define MAX_GRID_HEIGHT 65535

// One thread, one element: C[row][col] = sum over p of A[row][p] * B[p][col].
__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 1: Work out which row and which column of C this thread computes, from blockIdx, blockDim
    // and threadIdx: x runs along a row, y down a column.

    // TODO 2: Leave at once if this row or this column lies outside C. The first row outside has
    // the number m.

    // TODO 3: Sum up the products of A's row and B's column in a local variable, then store it in C,
    // once. Compute each index in size_t: row * k overflows an int when a matrix is large.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 4: Choose the block (BLOCK_WIDTH x BLOCK_HEIGHT threads) and a grid of enough blocks to
    // cover C: round up, so that the last columns and rows are covered too. Launch the kernel, and
    // check the launch with CUDA_CHECK_LAUNCH().
    //
    // TODO 5: More than MAX_GRID_HEIGHT * BLOCK_HEIGHT rows need more blocks along y than a grid may
    // have. Launch once for each such slab of rows: for the kernel, a slab is a smaller product.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 6: How many bytes do A, B and C have? Compute the product in size_t.

    // TODO 7: Allocate the three matrices on the device (cudaMalloc), and copy A and B there
    // (cudaMemcpy). Wrap this and every CUDA call below in CUDA_CHECK( ... ).

    // TODO 8: Compute on the device: call matmul_device with the device pointers.

    // TODO 9: Copy C back. This cudaMemcpy waits for the kernel, and reports errors in it.

    // TODO 10: Free everything that you allocated.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}
