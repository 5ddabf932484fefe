// Cache blocking by 48, edges through a minimum. A block size that divides nothing must not
// matter.
#include "lab.h"

static int smaller(int a, int b) {
    return a < b ? a : b;
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    const int step = 48;
    for (long i = 0; i < (long)m * n; i++)
        C[i] = 0.0f;
    for (int i0 = 0; i0 < m; i0 += step)
        for (int p0 = 0; p0 < k; p0 += step)
            for (int j0 = 0; j0 < n; j0 += step)
                for (int i = i0; i < smaller(i0 + step, m); i++)
                    for (int p = p0; p < smaller(p0 + step, k); p++)
                        for (int j = j0; j < smaller(j0 + step, n); j++)
                            C[(long)i * n + j] += A[(long)i * k + p] * B[(long)p * n + j];
}
