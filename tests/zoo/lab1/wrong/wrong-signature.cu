// Includes lab.h, then defines the function for double matrices: a conflict with the contract,
// which the compiler reports.
#include "lab.h"

extern "C" void matmul_cpu(int m, int n, int k, const double *A, const double *B, double *C) {
    for (int i = 0; i < m * n; i++)
        C[i] = A[i % (m * k)] * B[i % (k * n)];
}
