// The first block waits in a loop for a flag that only the last block sets: no block may rely on another's progress.
#include "cuda_check.h"
#include "lab.h"
__device__ volatile int ready;
__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C) {
    const bool last = blockIdx.x == gridDim.x - 1 && blockIdx.y == gridDim.y - 1;
    if (last) ready = 1;
    while (!ready) {
    }
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i < m && j < n) {
        float s = 0;
        for (int p = 0; p < k; p++) s += A[i * k + p] * B[p * n + j];
        C[i * n + j] = s;
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int zero = 0;
    CUDA_CHECK(cudaMemcpyToSymbol(ready, &zero, sizeof zero));
    mm<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *d;
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof(float) * (m * k + k * n + m * n)));
    CUDA_CHECK(cudaMemcpy(d, A, sizeof(float) * m * k, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d + m * k, B, sizeof(float) * k * n, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, d, d + m * k, d + m * k + k * n);
    CUDA_CHECK(cudaMemcpy(C, d + m * k + k * n, sizeof(float) * m * n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
}
