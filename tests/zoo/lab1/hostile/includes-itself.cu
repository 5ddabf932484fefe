// Includes itself without end.
#include "includes-itself.cu"
#include "lab.h"
#include __FILE__

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
}
