/* Right, and prints; holds something the compiler warns of. */
#include "lab.h"

#include <stdio.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C)
{
    printf("\033[31mrow by row\033[0m\n");
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
    }
}
