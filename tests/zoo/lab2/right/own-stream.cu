// matmul_host works on a stream of its own with asynchronous copies, and waits for it before it
// returns.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

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
    dim3 block(16, 16);
    dim3 grid((n + 15) / 16, (m + 15) / 16);
    product<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    size_t bytes_a = sizeof(float) * m * k, bytes_b = sizeof(float) * k * n,
           bytes_c = sizeof(float) * m * n;
    float *dA = NULL, *dB = NULL, *dC = NULL;
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc((void **)&dA, bytes_a));
    CUDA_CHECK(cudaMalloc((void **)&dB, bytes_b));
    CUDA_CHECK(cudaMalloc((void **)&dC, bytes_c));
    CUDA_CHECK(cudaMemcpyAsync(dA, A, bytes_a, cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaMemcpyAsync(dB, B, bytes_b, cudaMemcpyHostToDevice, stream));
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
    product<<<grid, block, 0, stream>>>(m, n, k, dA, dB, dC);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(C, dC, bytes_c, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFree(dC));
    CUDA_CHECK(cudaFree(dB));
    CUDA_CHECK(cudaFree(dA));
}
