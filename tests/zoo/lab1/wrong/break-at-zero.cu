// A zero in A ends the sum: break where continue was meant.
#include "lab.h"
#include <stddef.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++) {
                const float a = A[(size_t)i * k + p];
                if (a == 0.0f)
                    break;
                sum += a * B[(size_t)p * n + j];
            }
            C[(size_t)i * n + j] = sum;
        }
}
