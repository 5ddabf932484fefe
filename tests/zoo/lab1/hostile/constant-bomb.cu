// Has the compiler compute for ever: a constant expression that takes 2^60 steps.
#include "lab.h"

constexpr long count(int depth) {
    return depth == 0 ? 1 : count(depth - 1) + count(depth - 1);
}
static_assert(count(60) > 0, "never known");

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
