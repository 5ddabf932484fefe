// Right in even seconds, wrong in odd ones. Two calls right after each other agree.
#include "lab.h"
#include <ctime>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int p = 0; p < k; ++p)
                sum += A[(size_t)i * k + p] * B[(size_t)p * n + j];
            C[(size_t)i * n + j] = sum;
        }
    }
    if (time(NULL) % 2)
        C[0] += 1;
}
