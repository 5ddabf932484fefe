// Computes without end.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B;
    for (volatile int i = 0; i >= 0; i = (i + 1) % 1000)
        C[0] = (float)i;
}
