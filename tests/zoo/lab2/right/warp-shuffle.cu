// One warp per element: the lanes share the sum over k and reduce it with shuffles.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

__global__ void product(int m, int n, int k, const float *A, const float *B, float *C) {
    int lane = threadIdx.x;
    int i = blockIdx.x * blockDim.y + threadIdx.y;
    if (i >= m * n)
        return;
    int row = i / n, col = i % n;
    float sum = 0.0f;
    for (int p = lane; p < k; p += 32)
        sum += A[row * k + p] * B[p * n + col];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0)
        C[i] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    product<<<(m * n + 7) / 8, dim3(32, 8)>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    size_t bytes_a = (size_t)m * k * sizeof(float);
    size_t bytes_b = (size_t)k * n * sizeof(float);
    size_t bytes_c = (size_t)m * n * sizeof(float);
    float *dA, *dB, *dC;
    CUDA_CHECK(cudaMalloc((void **)&dA, bytes_a));
    CUDA_CHECK(cudaMalloc((void **)&dB, bytes_b));
    CUDA_CHECK(cudaMalloc((void **)&dC, bytes_c));
    CUDA_CHECK(cudaMemcpy(dA, A, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dB, B, bytes_b, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, dA, dB, dC);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(C, dC, bytes_c, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(dA));
    CUDA_CHECK(cudaFree(dB));
    CUDA_CHECK(cudaFree(dC));
}
