// The i-k-j order: B and C are walked along their rows. C is cleared first, then accumulated
// into.
#include "lab.h"
#include <string.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    memset(C, 0, (size_t)m * n * sizeof *C);
    for (int i = 0; i < m; i++)
        for (int p = 0; p < k; p++) {
            const float a = A[(size_t)i * k + p];
            const float *b = B + (size_t)p * n;
            float *c = C + (size_t)i * n;
            for (int j = 0; j < n; j++)
                c[j] += a * b[j];
        }
}
