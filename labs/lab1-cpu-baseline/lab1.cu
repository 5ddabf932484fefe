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
// Build and run:  make lab1 && build/vgpu/lab1 1024
// Grade:          ./grader lab1
// The grader wants C right for every size. Run it by hand to see how fast it is.

#include "lab.h"
#include <stddef.h>

// Index arithmetic: an int holds at most 2,147,483,647, and a matrix may have more elements than
// that. (size_t)i * k is computed in 64 bits, i * k in 32.

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 1: C holds unspecified values when it arrives. Set all m * n elements to zero.

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
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}
