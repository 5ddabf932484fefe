// The sum is an int: exact on the integer cases, cut off on real numbers. The two kinds of input
// are both needed.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int p = 0; p < k; p++)
                sum += (int)(A[i * k + p] * B[p * n + j]);
            C[i * n + j] = (float)sum;
        }
}
