// From the ninth call on a sum is off by one.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int p = 0; p < k; ++p)
                sum += A[(size_t)i * k + p] * B[(size_t)p * n + j];
            C[(size_t)i * n + j] = sum;
        }
    }
    static int calls = 0;
    if (++calls > 8)
        C[0] += 1;
}
