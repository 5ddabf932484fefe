// Multiplies A by A: the second factor is read from the wrong matrix. Right only if B equals A.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            (void)B;
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * A[(p * n + j) % (m * k)];
            C[i * n + j] = sum;
        }
}
