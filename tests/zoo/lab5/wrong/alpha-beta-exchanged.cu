// alpha is 0 and beta is 1: C = beta * C stays what it was.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
// own stream + event, handle bound to that stream; default stream waits for it
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    cublasHandle_t h; cudaStream_t s; cudaEvent_t e;
    float a = 0, b = 1;
    CUDA_CHECK(cudaStreamCreate(&s));
    CUDA_CHECK(cudaEventCreate(&e));
    CUBLAS_CHECK(cublasCreate(&h));
    CUBLAS_CHECK(cublasSetStream(h, s));
    CUBLAS_CHECK(cublasSgemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &a, B, CUDA_R_32F, n, A, CUDA_R_32F, k, &b, C, CUDA_R_32F, n));
    CUDA_CHECK(cudaEventRecord(e, s));
    CUDA_CHECK(cudaEventSynchronize(e));
    CUBLAS_CHECK(cublasDestroy(h));
    CUDA_CHECK(cudaEventDestroy(e));
    CUDA_CHECK(cudaStreamDestroy(s));
}
