// The loop over rows steps by the grid's height, not by the grid's threads.
// Lab 2: global memory only.
//
// I do not cut the matrix into slabs. When the grid cannot be tall enough, each thread takes several
// rows instead.

#include "cuda_check.h"
#include "lab.h"

#define BLOCK_WIDTH     32
#define BLOCK_HEIGHT    8
#define MAX_GRID_HEIGHT 65535

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    int col = threadIdx.x + blockDim.x * blockIdx.x;
    if (col >= n)
        return;

    for (int row = threadIdx.y + blockDim.y * blockIdx.y; row < m; row += gridDim.y) {
        float sum = 0.0f;
        for (int p = 0; p < k; ++p) {
            sum += A[(size_t)row * k + p] * B[(size_t)p * n + col];
        }
        C[(size_t)row * n + col] = sum;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 dimBlock(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 dimGrid((n - 1) / BLOCK_WIDTH + 1, (m - 1) / BLOCK_HEIGHT + 1);
    if (dimGrid.y > MAX_GRID_HEIGHT)
        dimGrid.y = MAX_GRID_HEIGHT;

    multiply<<<dimGrid, dimBlock>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *M[3]; // A, B and C on the device
    const size_t bytes[3] = {
        (size_t)m * k * sizeof(float),
        (size_t)k * n * sizeof(float),
        (size_t)m * n * sizeof(float),
    };

    for (int i = 0; i < 3; ++i)
        CUDA_CHECK(cudaMalloc((void **)&M[i], bytes[i]));
    CUDA_CHECK(cudaMemcpy(M[0], A, bytes[0], cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(M[1], B, bytes[1], cudaMemcpyHostToDevice));

    matmul_device(m, n, k, M[0], M[1], M[2]);

    CUDA_CHECK(cudaMemcpy(C, M[2], bytes[2], cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; ++i)
        CUDA_CHECK(cudaFree(M[i]));
}
