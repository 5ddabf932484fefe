// Compiles, but matmul_cpu is not there: the function was renamed. The report must name what is
// missing.
#include "lab.h"

void matmul_cpu_v2(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
