/* cpu_naive.c: see cpu.h. In a file of its own,
 * so that no compiler sees more of it than its text. */
#include "bench/cpu.h"

void cpu_naive(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int p = 0; p < k; ++p)
                sum += A[(size_t)i * k + p] * B[(size_t)p * n + j];
            C[(size_t)i * n + j] = sum;
        }
    }
}
