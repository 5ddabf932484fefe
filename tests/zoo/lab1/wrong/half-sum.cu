// Keeps the running sum in half precision; single terms are exact.
#include "lab.h"
#include <string.h>

static float as_half(float x) {
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x1000u) & ~0x1fffu;
    memcpy(&x, &bits, sizeof x);
    return x;
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum = as_half(sum + A[i * k + p] * B[p * n + j]);
            C[i * n + j] = sum;
        }
}
