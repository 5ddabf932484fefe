// Multiplies into a scratch buffer of its own and forgets to copy it to C.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
#include <cuda_runtime.h>

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const float one = 1.0f, zero = 0.0f;
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    float *scratch;
    (void)C;
    CUDA_CHECK(cudaMalloc((void **)&scratch, (size_t)m * n * sizeof(float)));
    CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, k, &zero,
                             scratch, n));
    CUDA_CHECK(cudaFree(scratch));
    CUBLAS_CHECK(cublasDestroy(handle));
}
