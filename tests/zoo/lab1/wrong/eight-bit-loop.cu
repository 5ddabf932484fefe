// A loop counter of eight bits: sizes above 255 never end. The time limit must stop it, or the
// case be wrong.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0, q = 0; q < k; p = (p + 1) & 63, q++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
