// The two arguments of the launch are exchanged: block, grid.
#include "cuda_check.h"
#include "lab.h"

#define BLOCK_WIDTH  32
#define BLOCK_HEIGHT 8
#define MAX_GRID_HEIGHT 65535

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float value = 0.0f;
        for (int p = 0; p < k; p++)
            value += A[(size_t)row * k + p] * B[(size_t)p * n + col];
        C[(size_t)row * n + col] = value;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    int done = 0;
    while (done < m) {
        int rows = m - done;
        if (rows > MAX_GRID_HEIGHT * BLOCK_HEIGHT)
            rows = MAX_GRID_HEIGHT * BLOCK_HEIGHT;
        dim3 grid((n + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (rows + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);
        multiply<<<block, grid>>>(rows, n, k, A + (size_t)done * k, B, C + (size_t)done * n);
        CUDA_CHECK_LAUNCH();
        done += rows;
    }
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    size_t sizeA = (size_t)m * k * sizeof(float);
    size_t sizeB = (size_t)k * n * sizeof(float);
    size_t sizeC = (size_t)m * n * sizeof(float);
    float *dA, *dB, *dC;
    CUDA_CHECK(cudaMalloc((void **)&dA, sizeA));
    CUDA_CHECK(cudaMalloc((void **)&dB, sizeB));
    CUDA_CHECK(cudaMalloc((void **)&dC, sizeC));
    CUDA_CHECK(cudaMemcpy(dA, A, sizeA, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dB, B, sizeB, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, dA, dB, dC);
    CUDA_CHECK(cudaMemcpy(C, dC, sizeC, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(dA));
    CUDA_CHECK(cudaFree(dB));
    CUDA_CHECK(cudaFree(dC));
}
