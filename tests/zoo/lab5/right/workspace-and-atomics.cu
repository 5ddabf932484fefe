// Sets everything there is to set on a handle: version, workspace, atomics mode, logger off; then one product.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
#include <library_types.h>
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    cublasHandle_t h;
    int version = 0;
    CUBLAS_CHECK(cublasCreate(&h));
    CUBLAS_CHECK(cublasGetVersion(h, &version));
    printf("cuBLAS %d\n", version);
    CUBLAS_CHECK(cublasSetAtomicsMode(h, CUBLAS_ATOMICS_NOT_ALLOWED));
    CUBLAS_CHECK(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH));
    void *work;
    CUDA_CHECK(cudaMalloc(&work, 4 << 20));
    CUBLAS_CHECK(cublasSetWorkspace(h, work, 4 << 20));
    const float alpha = 1.0f, beta = 0.0f;
    CUBLAS_CHECK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, B, n, A, k, &beta, C, n));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUBLAS_CHECK(cublasDestroy(h));
    CUDA_CHECK(cudaFree(work));
}
