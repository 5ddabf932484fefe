// Wrong: alpha is an int whose address is passed: its bits are a tiny float.
#include "lab.h"
#include <cublas_v2.h>
#include <iostream>

static bool good(cublasStatus_t status, const char *what) {
    switch (status) {
    case CUBLAS_STATUS_SUCCESS:
        return true;
    case CUBLAS_STATUS_NOT_INITIALIZED:
        std::cerr << what << ": not initialised\n";
        return false;
    case CUBLAS_STATUS_ALLOC_FAILED:
        std::cerr << what << ": out of memory\n";
        return false;
    case CUBLAS_STATUS_INVALID_VALUE:
        std::cerr << what << ": invalid value\n";
        return false;
    default:
        std::cerr << what << ": status " << static_cast<int>(status) << '\n';
        return false;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    cublasHandle_t handle;
    if (!good(cublasCreate(&handle), "create"))
        return;
    int alpha = 1;
    float beta = 0.0f;
    good(cublasSgemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, B, CUDA_R_32F, n, A, CUDA_R_32F, k, &beta, C, CUDA_R_32F, n),
         "gemm");
    good(cublasDestroy(handle), "destroy");
}
