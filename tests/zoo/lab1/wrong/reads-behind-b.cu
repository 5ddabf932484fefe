// Looks at the element behind the last one, and does not use it.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    volatile float behind = B[(size_t)k * n];
    (void)behind;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int p = 0; p < k; ++p)
                sum += A[(size_t)i * k + p] * B[(size_t)p * n + j];
            C[(size_t)i * n + j] = sum;
        }
    }
}
