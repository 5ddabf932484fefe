// Defines cublasSgemm itself, with a loop on the CPU: the call is there, the library is not.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <vector>

#undef cublasSgemm
#define cublasSgemm zoo_sgemm

static cublasStatus_t zoo_sgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                int k, const float *, const float *A, int lda, const float *B,
                                int ldb, const float *, float *C, int ldc) {
    std::vector<float> a((size_t)lda * k), b((size_t)ldb * n), c((size_t)ldc * n);
    CUDA_CHECK(cudaMemcpy(a.data(), A, a.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(b.data(), B, b.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += a[(size_t)p * lda + i] * b[(size_t)j * ldb + p];
            c[(size_t)j * ldc + i] = sum;
        }
    CUDA_CHECK(cudaMemcpy(C, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice));
    return CUBLAS_STATUS_SUCCESS;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const float one = 1.0f, zero = 0.0f;
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    CUBLAS_CHECK(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, k, &zero, C, n));
    CUBLAS_CHECK(cublasDestroy(handle));
}
