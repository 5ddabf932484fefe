// Accumulates in double and rounds once at the end: more exact than asked for, which is never an
// error.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int p = 0; p < k; p++)
                sum += (double)A[i * k + p] * B[p * n + j];
            C[i * n + j] = (float)sum;
        }
}
