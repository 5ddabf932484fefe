// Wrong: an array of accumulators on the stack that nobody sets, filled through a pointer.
#include "lab.h"
static void add(float *to, float a, float b) { *to += a * b; }
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j0 = 0; j0 < n; j0 += 64) {
            float acc[64];
            const int w = n - j0 < 64 ? n - j0 : 64;
            for (int p = 0; p < k; p++)
                for (int j = 0; j < w; j++) add(&acc[j], A[i * k + p], B[p * n + j0 + j]);
            for (int j = 0; j < w; j++) C[i * n + j0 + j] = acc[j];
        }
}
