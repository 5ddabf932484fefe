// One line that expands to ten million statements.
#include "lab.h"

#define X10(x)   x x x x x x x x x x
#define X1000(x) X10(X10(X10(x)))

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    X1000(X1000(X10(C[0] = C[0] * A[0] + B[0];)))
}
