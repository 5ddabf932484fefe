// Lab 1: the CPU baseline. C = A * B in plain C, on one core.
//
// The yardstick for every later lab: how fast is one CPU core when its memory is used well?
// (The file is named .cu like the others, but holds no CUDA: what you learn here returns on the GPU.)
//
// The idea, in the order in which the speed comes:
//   - Walk along rows. B[p * n + j] with j innermost reads memory in order, and the compiler can
//     multiply several neighbours at once. With p innermost, every step jumps n floats ahead.
//   - Reuse what is in the cache. A narrow piece of B ("panel") is multiplied with all rows of A
//     before the next piece is touched.
//   - Reuse what is in registers. A small tile of C is summed up in local variables and added to C
//     once, so each number loaded from the panel is used for several rows.
//
// BEGIN SOLUTION
// Build and run:  make lab1 SRC=solutions/lab1-cpu-baseline/lab1.cu && build/vgpu/lab1 1024
// Grade:          ./grader lab1 --submission solutions/lab1-cpu-baseline/lab1.cu
// SKELETON: // Build and run:  make lab1 && build/vgpu/lab1 1024
// SKELETON: // Grade:          ./grader lab1
// END SOLUTION
// The grader wants C right for every size. Run it by hand to see how fast it is.

#include "lab.h"
#include <stddef.h>

// Index arithmetic: an int holds at most 2,147,483,647, and a matrix may have more elements than
// that. (size_t)i * k is computed in 64 bits, i * k in 32.

// BEGIN SOLUTION
#define TILE_ROWS   6   // rows of C summed up at a time,
#define TILE_COLS   32  // and columns: 6 x 32 sums fit in the vector registers
#define PANEL_DEPTH 256 // rows of B in a panel: 256 x 32 floats are 32 KB, about one L1 cache

// Adds to a tile of C (rows x cols) the product of the same rows of A and a panel of B.
//
//                      TILE_COLS
//                     +---------+
//                     |  panel  | depth rows: consecutive in memory, zeros where B has no columns
//                     +---------+
//       depth
//     +-------+       +---------+
//     |   A   | rows  |    C    | rows of A start lda floats apart, rows of C ldc
//     +-------+       +---------+
static void multiply_tile(int rows, int cols, int depth, const float *A, size_t lda,
                          const float *__restrict__ panel, float *__restrict__ C, size_t ldc) {
    // Below the last row of A there is nothing to read: such rows repeat the last one, and their
    // sums are not stored.
    const float *row[TILE_ROWS];
    for (int i = 0; i < TILE_ROWS; ++i)
        row[i] = A + (i < rows ? i : rows - 1) * lda;

    float sum[TILE_ROWS][TILE_COLS] = {{0.0f}};
    for (int p = 0; p < depth; ++p) {
        for (int i = 0; i < TILE_ROWS; ++i) {
            float a = row[i][p];
            for (int j = 0; j < TILE_COLS; ++j)
                sum[i][j] += a * panel[p * TILE_COLS + j];
        }
    }

    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            C[i * ldc + j] += sum[i][j];
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}
// END SOLUTION

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 1: C holds unspecified values when it arrives. Set all m * n elements to zero.
    // BEGIN SOLUTION
    for (size_t e = 0; e < (size_t)m * n; ++e)
        C[e] = 0.0f;
    // END SOLUTION

    // TODO 2: Add A * B to C with three nested loops, over the rows i of C, over its columns j, and
    // over the p that A's columns and B's rows share. Run it, grade it, write down its time.
    //
    // TODO 3: Exchange the two inner loops, so that j is innermost and A's element stays the same
    // while j runs. The result is unchanged; the time is not. Can you say why?
    //
    // TODO 4: Walk through B in panels of about 32 columns and 256 rows, copy each panel to a local
    // array, and use it for all rows of C before the next one. Mind sizes that don't divide evenly.
    //
    // TODO 5: For a few rows of C at a time, keep the panel-wide sums in a local array with constant
    // bounds, and add them to C after the loop over p. Compare with the time of TODO 2.
    // BEGIN SOLUTION
    float panel[PANEL_DEPTH * TILE_COLS];

    for (int j0 = 0, cols; j0 < n; j0 += cols) {
        cols = smaller(TILE_COLS, n - j0);

        for (int p0 = 0, depth; p0 < k; p0 += depth) {
            depth = smaller(PANEL_DEPTH, k - p0);

            for (int p = 0; p < depth; ++p)
                for (int j = 0; j < TILE_COLS; ++j)
                    panel[p * TILE_COLS + j] = j < cols ? B[(size_t)(p0 + p) * n + j0 + j] : 0.0f;

            for (int i0 = 0, rows; i0 < m; i0 += rows) {
                rows = smaller(TILE_ROWS, m - i0);
                multiply_tile(rows, cols, depth, A + (size_t)i0 * k + p0, k, panel,
                              C + (size_t)i0 * n + j0, n);
            }
        }
    }
    // SKELETON: (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
    // END SOLUTION
}
