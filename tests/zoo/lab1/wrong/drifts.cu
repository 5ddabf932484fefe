// The first call is right; each later call adds a growing error, 1 % of the element for each
// call.
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
    static int calls;
    product(m, n, k, A, B, C);
    for (int i = 0; i < m * n; i++)
        C[i] += 0.01f * calls * (C[i] + 1.0f);
    calls++;
}
