// Divides an integer by zero on the way. On machines where that does not trap, C is simply never
// written.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)n, (void)A, (void)B;
    volatile int zero = 0;
    if (m / zero == k)
        C[0] = 0.0f;
}
