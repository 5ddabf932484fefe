// Never returns. The time limit must end it and the report must say so.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B;
    for (volatile int spin = 0;; spin = spin + 1)
        C[0] = 0.0f;
}
