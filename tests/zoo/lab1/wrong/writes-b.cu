// The product is right, but the last element of B is overwritten.
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
    ((float *)B)[(long)k * n - 1] = 1234.5f;
}
