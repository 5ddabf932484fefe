// alpha and beta live on the device (pointer mode device).
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
#include <cuda_runtime.h>

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const float scalars[2] = {1.0f, 0.0f};
    float *device;
    CUDA_CHECK(cudaMalloc((void **)&device, sizeof scalars));
    CUDA_CHECK(cudaMemcpy(device, scalars, sizeof scalars, cudaMemcpyHostToDevice));
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    CUBLAS_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, device, B, n, A, k,
                             device + 1, C, n));
    CUBLAS_CHECK(cublasDestroy(handle));
    CUDA_CHECK(cudaFree(device));
}
