// Wrong: sums up in a buffer from malloc that nobody cleared: fresh pages happen to be zero.
#include "lab.h"
#include <stdlib.h>
#include <string.h>
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    float *t = (float *)malloc(sizeof(float) * m * n);
    for (int i = 0; i < m; i++)
        for (int p = 0; p < k; p++)
            for (int j = 0; j < n; j++)
                t[i * n + j] += A[i * k + p] * B[p * n + j];
    memcpy(C, t, sizeof(float) * m * n);
    free(t);
}
