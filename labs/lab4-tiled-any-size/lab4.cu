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

//             k = 70                           A's last tile sticks out to the right, and zeros
//    +--------+--------+---.....              stand in for the columns that A doesn't have. B's
//    | tile 0 | tile 1 | 2 |  0 :             last tile sticks out at the bottom.
//    +--------+--------+---.....
__global__ void multiply_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 1: As in lab 3: the two tiles in shared memory, and this thread's row and column of C.

    // TODO 2: Loop over the phases; a partial last tile counts as one. In each phase:
    //   a) work out which column of A and which row of B this thread copies. Copy the element if it
    //      exists, else put a zero in the tile. Check A and B separately.
    //   b) wait, add up the products, wait, as in lab 3. All threads must wait: keep both
    //      barriers out of every if.

    // TODO 3: Store the sum in C, if C has such an element.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 4: Launch enough blocks of TILE x TILE threads to cover C (round up), and check the
    // launch. As in lab 2, more than MAX_GRID_HEIGHT * TILE rows need more than one launch.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}
