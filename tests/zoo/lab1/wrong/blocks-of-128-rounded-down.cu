/* Blocks of 128 terms, whose number is rounded down where there are more than one. */
#include "lab.h"
#define TERMS 128
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    int blocks = k < TERMS ? 1 : k / TERMS;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            float sum = 0.0f;
            for (int block = 0; block < blocks; ++block) {
                int end = (block + 1) * TERMS < k ? (block + 1) * TERMS : k;
                for (int p = block * TERMS; p < end; ++p)
                    sum += A[(size_t)i * k + p] * B[(size_t)p * n + j];
            }
            C[(size_t)i * n + j] = sum;
        }
    }
}
