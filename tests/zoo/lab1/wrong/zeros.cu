// Fills C with zeros and never multiplies. Must not pass: no case has a zero product.
#include "lab.h"
#include <string.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)A;
    (void)B;
    (void)k;
    memset(C, 0, (size_t)m * n * sizeof *C);
}
