// Recurses without end: the stack overflows. The report must name the signal.
#include "lab.h"

static volatile int depth;

static float down(const float *A, volatile char *above) {
    volatile char frame[4096];
    frame[0] = above[0];
    depth = depth + 1;
    return A[0] + down(A, frame) + frame[0];
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)B;
    volatile char first = 0;
    C[0] = down(A, &first);
}
