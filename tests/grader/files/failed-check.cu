/* A block of 2048 threads: the check after the launch says so. */
#include "cuda_check.h"
#include "lab.h"

__global__ void multiply(float *C)
{
    C[0] = 0.0f;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    multiply<<<1, 2048>>>(C);
    CUDA_CHECK_LAUNCH();
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C)
{
}
