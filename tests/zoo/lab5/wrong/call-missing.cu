// Creates and destroys a handle and calls nothing in between.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
#include <cuda_runtime.h>

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const float one = 1.0f, zero = 0.0f;
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    (void)m, (void)n, (void)k, (void)one, (void)zero, (void)A, (void)B, (void)C;
    CUBLAS_CHECK(cublasDestroy(handle));
}
