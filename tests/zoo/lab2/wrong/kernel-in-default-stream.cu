// Wrong: Copies in a non-blocking stream, the kernel in the default stream: nothing orders them.
#include "cuda_check.h"
#include "lab.h"
#include <string.h>

static __global__ void mul_kernel(int m, int n, int k, const float *A, const float *B, float *C) {
    int col = blockIdx.x * 64 + threadIdx.x;
    int row = blockIdx.y;
    if (col < n) {
        float s = 0.0f;
        for (int p = 0; p < k; p++)
            s += A[row * k + p] * B[p * n + col];
        C[row * n + col] = s;
    }
}

static void enqueue(int m, int n, int k, const float *A, const float *B, float *C, cudaStream_t s) {
    mul_kernel<<<dim3((n + 63) / 64, m), 64, 0, s>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    enqueue(m, n, k, A, B, C, 0);
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    const size_t a = sizeof(float) * m * k, b = sizeof(float) * k * n, c = sizeof(float) * m * n;
    float *hA, *hB, *hC, *dA, *dB, *dC;
    cudaStream_t s;
    CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CUDA_CHECK(cudaMallocHost((void **)&hA, a));
    CUDA_CHECK(cudaHostAlloc((void **)&hB, b, cudaHostAllocDefault));
    CUDA_CHECK(cudaMallocHost((void **)&hC, c));
    CUDA_CHECK(cudaMallocAsync((void **)&dA, a, s));
    CUDA_CHECK(cudaMallocAsync((void **)&dB, b, s));
    CUDA_CHECK(cudaMallocAsync((void **)&dC, c, s));
    memcpy(hA, A, a);
    memcpy(hB, B, b);
    CUDA_CHECK(cudaMemcpyAsync(dA, hA, a, cudaMemcpyHostToDevice, s));
    CUDA_CHECK(cudaMemcpyAsync(dB, hB, b, cudaMemcpyHostToDevice, s));
    enqueue(m, n, k, dA, dB, dC, 0);
    CUDA_CHECK(cudaMemcpyAsync(hC, dC, c, cudaMemcpyDeviceToHost, s));
    CUDA_CHECK(cudaFreeAsync(dA, s));
    CUDA_CHECK(cudaFreeAsync(dB, s));
    CUDA_CHECK(cudaFreeAsync(dC, s));
    CUDA_CHECK(cudaStreamSynchronize(s));
    memcpy(C, hC, c);
    CUDA_CHECK(cudaFreeHost(hA));
    CUDA_CHECK(cudaFreeHost(hB));
    CUDA_CHECK(cudaFreeHost(hC));
    CUDA_CHECK(cudaStreamDestroy(s));
}
