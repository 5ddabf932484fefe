// Wrong: the loop over rows goes on by the height of a block, not of the grid: each row is computed by
// all blocks above it, too. C is right.

#include "cuda_check.h"
#include "lab.h"

#define BW 32
#define BH 8
#define MAX_GRID_HEIGHT 65535

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    int col = blockIdx.x * BW + threadIdx.x;
    if (col >= n)
        return;

    for (int row = blockIdx.y * BH + threadIdx.y; row < m; row += blockDim.y) {
        const float *a = A + (size_t)row * k;
        const float *b = B + col;
        float sum = 0.0f;
        for (int p = 0; p < k; ++p) {
            sum += a[p] * *b;
            b += n;
        }
        C[(size_t)row * n + col] = sum;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int down = (m + BH - 1) / BH;
    if (down > MAX_GRID_HEIGHT)
        down = MAX_GRID_HEIGHT; // the kernel strides over the rest

    dim3 block(BW, BH);
    dim3 grid((n + BW - 1) / BW, down);
    multiply<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
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
