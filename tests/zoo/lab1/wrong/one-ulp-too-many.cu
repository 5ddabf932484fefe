// Right products, but element 0 is off by two thousandths of itself: too much for float, little
// enough for a lax tolerance.
#include "lab.h"

static void product(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    product(m, n, k, A, B, C);
    C[0] = C[0] * 1.002f + 0.002f;
}
