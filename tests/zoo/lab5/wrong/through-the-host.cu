// Fetches the product to the host and copies it back: right, but copied needlessly.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <vector>

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const float one = 1.0f, zero = 0.0f;
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    CUBLAS_CHECK(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, k, &zero, C, n));
    CUBLAS_CHECK(cublasDestroy(handle));
    std::vector<float> c((size_t)m * n);
    CUDA_CHECK(cudaMemcpy(c.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(C, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice));
}
