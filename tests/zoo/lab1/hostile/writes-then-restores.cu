// Uses an element of A as a scratch cell, and puts the old number back.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    volatile float *cell = const_cast<float *>(A);
    float old = cell[0];
    cell[0] = 1;
    cell[0] = old;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int p = 0; p < k; ++p)
                sum += A[(size_t)i * k + p] * B[(size_t)p * n + j];
            C[(size_t)i * n + j] = sum;
        }
    }
}
