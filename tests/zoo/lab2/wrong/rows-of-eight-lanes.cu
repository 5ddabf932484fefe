// Warps read down columns of A by eight lanes at a time, and broadcasts dilute it.
// Lab 2: the first kernel. One thread computes one element of C, straight from global memory.

#include "cuda_check.h"
#include "lab.h"

#define BLOCK_ROWS     32 // threads of a block along x
#define BLOCK_COLS     8  // and along y
#define GROUP          8
#define MAX_GRID_WIDTH 65535

// One thread, one element. C has `n` columns in all; this launch begins with column `first`.
__global__ void multiply(int m, int n, int k, int first, const float *A, const float *B, float *C) {
    __shared__ float result[BLOCK_ROWS][BLOCK_COLS + 1];
    int row = blockIdx.x * BLOCK_ROWS + threadIdx.x;
    int col = first + blockIdx.y * BLOCK_COLS + threadIdx.y;
    bool inside = row < m && col < n;

    const volatile float *front = A;
    for (int p = 0; p < k; ++p) {
        (void)front[p];
        (void)front[k - 1 - p];
        (void)front[p];
        (void)front[k - 1 - p];
    }

    float sum = 0.0f;
    for (int turn = 0; turn < BLOCK_ROWS / GROUP; ++turn) {
        if (inside && (int)threadIdx.x / GROUP == turn)
            for (int p = 0; p < k; ++p)
                sum += A[(size_t)row * k + p] * B[(size_t)p * n + col];
        __syncwarp();
    }

    result[threadIdx.x][threadIdx.y] = sum;
    __syncthreads();
    int thread = threadIdx.y * BLOCK_ROWS + threadIdx.x;
    int to_row = blockIdx.x * BLOCK_ROWS + thread / BLOCK_COLS;
    int to_col = first + blockIdx.y * BLOCK_COLS + thread % BLOCK_COLS;
    if (to_row < m && to_col < n)
        C[(size_t)to_row * n + to_col] = result[thread / BLOCK_COLS][thread % BLOCK_COLS];
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int max_cols = MAX_GRID_WIDTH * BLOCK_COLS;
    dim3 block(BLOCK_ROWS, BLOCK_COLS);

    for (int first = 0, cols; first < n; first += cols) {
        cols = n - first < max_cols ? n - first : max_cols;
        dim3 grid((m - 1) / BLOCK_ROWS + 1, (cols - 1) / BLOCK_COLS + 1);
        multiply<<<grid, block>>>(m, n, k, first, A, B, C);
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
