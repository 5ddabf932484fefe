// Wrong: Scalars on the device while the handle expects them on the host.
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
    const float one[2] = {1.0f, 0.0f};
    float *s;
    CUDA_CHECK(cudaMalloc(&s, sizeof one));
    CUDA_CHECK(cudaMemcpy(s, one, sizeof one, cudaMemcpyHostToDevice));
    CUBLAS_CHECK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, s, B, n, A, k, s + 1, C, n));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUBLAS_CHECK(cublasDestroy(h));
    CUDA_CHECK(cudaFree(work));
}
