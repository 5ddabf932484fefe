// matmul_host uses cudaMallocPitch and cudaMemcpy2D; the rows of the device copies are padded.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

__global__ void product_ld(int m, int n, int k, const float *A, size_t lda, const float *B,
                           size_t ldb, float *C, size_t ldc) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
        sum += A[row * lda + p] * B[p * ldb + col];
    C[row * ldc + col] = sum;
}

static void launch(int m, int n, int k, const float *A, size_t lda, const float *B, size_t ldb,
                   float *C, size_t ldc) {
    dim3 block(32, 8), grid((n + 31) / 32, (m + 7) / 8);
    product_ld<<<grid, block>>>(m, n, k, A, lda, B, ldb, C, ldc);
    CUDA_CHECK(cudaGetLastError());
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    launch(m, n, k, A, k, B, n, C, n);
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    const size_t row_a = k * sizeof(float), row_b = n * sizeof(float);
    float *dA, *dB, *dC;
    size_t pitch_a, pitch_b, pitch_c;
    CUDA_CHECK(cudaMallocPitch((void **)&dA, &pitch_a, row_a, m));
    CUDA_CHECK(cudaMallocPitch((void **)&dB, &pitch_b, row_b, k));
    CUDA_CHECK(cudaMallocPitch((void **)&dC, &pitch_c, row_b, m));
    CUDA_CHECK(cudaMemcpy2D(dA, pitch_a, A, row_a, row_a, m, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(dB, pitch_b, B, row_b, row_b, k, cudaMemcpyHostToDevice));
    launch(m, n, k, dA, pitch_a / sizeof(float), dB, pitch_b / sizeof(float), dC,
           pitch_c / sizeof(float));
    CUDA_CHECK(cudaMemcpy2D(C, row_b, dC, pitch_c, row_b, m, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(dA));
    CUDA_CHECK(cudaFree(dB));
    CUDA_CHECK(cudaFree(dC));
}
