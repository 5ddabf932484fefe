// Blocked by 16 along k; the tail loop begins at the wrong place and counts the last whole block
// twice.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            int p0 = 0;
            for (; p0 + 16 <= k; p0 += 16)
                for (int p = p0; p < p0 + 16; p++)
                    sum += A[i * k + p] * B[p * n + j];
            for (int p = p0 >= 16 ? p0 - 16 : 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
