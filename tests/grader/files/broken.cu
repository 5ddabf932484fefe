#include "lab.h"

__global__ void multiply(float *C)
{
    C[threadIdx.x] = undeclared;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    multiply<<<1, 32>>>(C)
}
