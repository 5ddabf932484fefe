// Computes the index in float arithmetic cut to 11 bits, as a half-precision index would be:
// positions above 2048 collapse onto their neighbours.
#include "lab.h"

/* An index that went through a short float: only its 11 leading bits survive. */
static long coarse(long i) {
    long step = 1;
    while (i / step >= 2048)
        step *= 2;
    return i / step * step;
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[coarse((long)i * k + p)] * B[coarse((long)p * n + j)];
            C[i * n + j] = sum;
        }
}
