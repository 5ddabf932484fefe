// The sum is set to zero once, in front of the loops, and carries over from element to element.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    float sum = 0.0f;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
