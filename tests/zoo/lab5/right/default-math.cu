// Sets the math mode to the default, names the pointer mode, and synchronises the device at the
// end.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
#include <cuda_runtime.h>

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const float one = 1.0f, zero = 0.0f;
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    CUBLAS_CHECK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
    CUBLAS_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CUBLAS_CHECK(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, k, &zero, C, n));
    CUBLAS_CHECK(cublasDestroy(handle));
    CUDA_CHECK(cudaDeviceSynchronize());
}
