// Scales B in place with SGEAM before the product and undoes it only roughly afterwards.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
#include <cuda_runtime.h>

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const float one = 1.0f, zero = 0.0f;
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    const float three = 3.0f, third = 1.0f / 3.0f;
    float *b = (float *)B;
    CUBLAS_CHECK(
        cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, k, &three, b, n, &zero, b, n, b, n));
    CUBLAS_CHECK(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &third, b, n, A, k, &zero, C, n));
    CUBLAS_CHECK(
        cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, k, &third, b, n, &zero, b, n, b, n));
    CUBLAS_CHECK(cublasDestroy(handle));
}
