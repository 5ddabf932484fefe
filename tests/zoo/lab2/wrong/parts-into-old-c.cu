// Where k is large, several threads add parts of a sum to C, and nobody has set C to zero: with NaN
// in C every element is NaN, and no product with a small k shows it.
#include "cuda_check.h"
#include "lab.h"

#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 8
#define MAX_GRID_HEIGHT 65535
#define DEPTH 1024 // products for each thread

__global__ void multiply_part(int m, int n, int k, const float *A, const float *B, float *C) {
    int row = threadIdx.y + blockIdx.y * BLOCK_HEIGHT;
    int col = threadIdx.x + blockIdx.x * BLOCK_WIDTH;
    if (row >= m || col >= n)
        return;

    int begin = blockIdx.z * DEPTH;
    int end = k - begin < DEPTH ? k : begin + DEPTH;
    float sum = 0.0f;
    for (int p = begin; p < end; ++p)
        sum += A[(size_t)row * k + p] * B[(size_t)p * n + col];

    float *c = &C[(size_t)row * n + col];
    if (gridDim.z == 1)
        *c = sum; // nobody else has a part of it
    else
        atomicAdd(c, sum);
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int max_rows = MAX_GRID_HEIGHT * BLOCK_HEIGHT;
    const dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    const int parts = (k - 1) / DEPTH + 1;

    for (int first = 0; first < m; first += max_rows) {
        int rows = m - first < max_rows ? m - first : max_rows;
        float *slab = C + (size_t)first * n;

        dim3 grid((n - 1) / BLOCK_WIDTH + 1, (rows - 1) / BLOCK_HEIGHT + 1, parts);
        multiply_part<<<grid, block>>>(rows, n, k, A + (size_t)first * k, B, slab);
        CUDA_CHECK_LAUNCH();
    }
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    size_t bytes_A = (size_t)m * k * sizeof(float);
    size_t bytes_B = (size_t)k * n * sizeof(float);
    size_t bytes_C = (size_t)m * n * sizeof(float);
    float *device_A, *device_B, *device_C;
    CUDA_CHECK(cudaMalloc((void **)&device_A, bytes_A));
    CUDA_CHECK(cudaMalloc((void **)&device_B, bytes_B));
    CUDA_CHECK(cudaMalloc((void **)&device_C, bytes_C));
    CUDA_CHECK(cudaMemcpy(device_A, A, bytes_A, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_B, B, bytes_B, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, device_A, device_B, device_C);
    CUDA_CHECK(cudaMemcpy(C, device_C, bytes_C, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_A));
    CUDA_CHECK(cudaFree(device_B));
    CUDA_CHECK(cudaFree(device_C));
}
