#include "check.cuh"
#include <cublas_v2.h>
int main() { const int n = 1000; float *x, *y, a = 2, dot; cublasHandle_t h; MUST(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS); CUDA(cudaMallocManaged(&x, n * 4)); CUDA(cudaMallocManaged(&y, n * 4)); for (int i = 0; i < n; i++) x[i] = i, y[i] = 1; MUST(cublasSaxpy(h, n, &a, x, 1, y, 1) == CUBLAS_STATUS_SUCCESS); CUDA(cudaDeviceSynchronize()); for (int i = 0; i < n; i++) MUST(y[i] == 2 * i + 1); MUST(cublasSdot(h, 10, x, 1, x, 1, &dot) == CUBLAS_STATUS_SUCCESS); MUST(dot == 285); cublasDestroy(h); cudaFree(x); cudaFree(y); }
