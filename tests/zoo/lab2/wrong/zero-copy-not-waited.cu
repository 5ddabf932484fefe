// Wrong: the kernel works on mapped host memory in place, and the host reads it before the kernel is done.
#include "cuda_check.h"
#include "lab.h"
#include <string.h>

__global__ void product(int m, int n, int k, const float *A, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
        sum += A[row * k + p] * B[p * n + col];
    C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    product<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

static float *mapped(const float *p, size_t bytes) {
    void *host;
    CUDA_CHECK(cudaHostAlloc(&host, bytes, cudaHostAllocMapped));
    if (p)
        memcpy(host, p, bytes);
    return (float *)host;
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *a = mapped(A, sizeof(float) * m * k), *b = mapped(B, sizeof(float) * k * n);
    float *c = mapped(NULL, sizeof(float) * m * n);
    matmul_device(m, n, k, a, b, c);
    memcpy(C, c, sizeof(float) * m * n);
    CUDA_CHECK(cudaFreeHost(a));
    CUDA_CHECK(cudaFreeHost(b));
    CUDA_CHECK(cudaFreeHost(c));
}
