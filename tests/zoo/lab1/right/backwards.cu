// Sums from the last term to the first, and fills C from its end: any order of summation is
// right.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = m; i-- > 0;)
        for (int j = n; j-- > 0;) {
            float sum = 0.0f;
            for (int p = k; p-- > 0;)
                sum = sum + A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
