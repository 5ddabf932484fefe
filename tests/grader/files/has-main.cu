#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C)
{
    C[0] = A[0] * B[0];
}

int main(void)
{
    return 0;
}
