// Claims to be another file: a compiler that quotes the line it complains of would show that file's.
#include "lab.h"
#line 1 "/etc/passwd"
this is no C;
#line 1 "/etc/shadow"
nor is this;

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
