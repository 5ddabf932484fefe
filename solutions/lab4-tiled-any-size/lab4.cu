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
// BEGIN SOLUTION
// Build and run:  make lab4 SRC=solutions/lab4-tiled-any-size/lab4.cu && build/vgpu/lab4 70 50 90
// Grade:          ./grader lab4 --submission solutions/lab4-tiled-any-size/lab4.cu
// SKELETON: // Build and run:  make lab4 && build/vgpu/lab4 70 50 90     (with a GPU: build/gpu/lab4)
// SKELETON: // Grade:          ./grader lab4
// END SOLUTION

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
    // BEGIN SOLUTION
    __shared__ float tile_A[TILE][TILE];
    __shared__ float tile_B[TILE][TILE];

    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;
    // END SOLUTION

    // TODO 2: Loop over the phases; a partial last tile counts as one. In each phase:
    //   a) work out which column of A and which row of B this thread copies. Copy the element if it
    //      exists, else put a zero in the tile. Check A and B separately.
    //   b) wait, add up the products, wait, as in lab 3. All threads must wait: keep both
    //      barriers out of every if.
    // BEGIN SOLUTION
    size_t index_A = (size_t)row * k + x; // of the elements that this thread copies, if they exist
    size_t index_B = (size_t)y * n + col;
    int width_A = row < m ? k : 0; // how many elements this row of A and this column of B have
    int height_B = col < n ? k : 0;

    float sum = 0.0f;
    int phases = (k - 1) / TILE + 1; // rounded up
    for (int phase = 0; phase < phases; ++phase) {
        float a = 0.0f; // what this thread copies; zeros stand in for elements that don't exist
        float b = 0.0f;
        if (x < width_A - phase * TILE)
            a = A[index_A];
        if (y < height_B - phase * TILE)
            b = B[index_B];
        index_A += TILE;             // one tile to the right
        index_B += (size_t)TILE * n; // one tile down

        // Lab 3's second barrier, moved here from the loop's end: a warp that has finished with the
        // old tiles starts to read the new ones before it waits for the others.
        __syncthreads();
        tile_A[y][x] = a;
        tile_B[y][x] = b;
        __syncthreads();

        for (int p = 0; p < TILE; ++p)
            sum += tile_A[y][p] * tile_B[p][x];
    }
    // END SOLUTION

    // TODO 3: Store the sum in C, if C has such an element.
    // BEGIN SOLUTION
    if (row < m && col < n)
        C[(size_t)row * n + col] = sum;
    // SKELETON: (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
    // END SOLUTION
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 4: Launch enough blocks of TILE x TILE threads to cover C (round up), and check the
    // launch. As in lab 2, more than MAX_GRID_HEIGHT * TILE rows need more than one launch.
    // BEGIN SOLUTION
    const int max_rows = MAX_GRID_HEIGHT * TILE;
    dim3 block(TILE, TILE);

    for (int first = 0, rows; first < m; first += rows) {
        rows = m - first < max_rows ? m - first : max_rows;

        dim3 grid((n - 1) / TILE + 1, (rows - 1) / TILE + 1); // rounded up
        multiply_tiled<<<grid, block>>>(rows, n, k, A + (size_t)first * k, B,
                                        C + (size_t)first * n);
        CUDA_CHECK_LAUNCH();
    }
    // SKELETON: (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
    // END SOLUTION
}
