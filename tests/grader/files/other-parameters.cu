#include "lab.h"

void matmul_cpu(int n, const float *A, const float *B, float *C)
{
    C[0] = A[0] * B[n - n];
}
