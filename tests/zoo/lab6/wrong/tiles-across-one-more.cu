// The kernel counts n / 128 + 1 tiles side by side.
#include "cuda_check.h"
#include "lab.h"

constexpr int BLOCK_M = 128;
constexpr int BLOCK_N = 128;
constexpr int SLAB_K = 8;
constexpr int THREAD_M = 8;
constexpr int THREAD_N = 8;

constexpr int THREADS_M = BLOCK_M / THREAD_M;
constexpr int THREADS_N = BLOCK_N / THREAD_N;
constexpr int THREADS = THREADS_M * THREADS_N;
constexpr int BLOCKS_PER_SM = 2;

__global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    multiply_register_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float slab_A[BLOCK_M][SLAB_K];
    __shared__ float slab_B[SLAB_K][BLOCK_N];

    // Blocks are numbered row by row of C's tiles.
    int blocks_across = n / BLOCK_N + 1;
    int first_row = (int)(blockIdx.x / blocks_across) * BLOCK_M; // of this block's tile of C
    int first_col = (int)(blockIdx.x % blocks_across) * BLOCK_N;

    int thread = threadIdx.x;
    int tx = thread % THREADS_N;
    int ty = thread / THREADS_N;
    float sum[THREAD_M][THREAD_N] = {};

    for (int first_k = 0; first_k < k; first_k += SLAB_K) {
#pragma unroll
        for (int c = 0; c < BLOCK_M * SLAB_K / THREADS; ++c) {
            int i = c * THREADS + thread;
            int r = i / SLAB_K, p = i % SLAB_K;
            float value = 0.0f;
            if (first_row + r < m && first_k + p < k)
                value = A[(size_t)(first_row + r) * k + first_k + p];
            slab_A[r][p] = value;
        }
#pragma unroll
        for (int c = 0; c < SLAB_K * BLOCK_N / THREADS; ++c) {
            int i = c * THREADS + thread;
            int p = i / BLOCK_N, j = i % BLOCK_N;
            float value = 0.0f;
            if (first_k + p < k && first_col + j < n)
                value = B[(size_t)(first_k + p) * n + first_col + j];
            slab_B[p][j] = value;
        }
        __syncthreads();

#pragma unroll
        for (int p = 0; p < SLAB_K; ++p) {
            float a[THREAD_M], b[THREAD_N];
#pragma unroll
            for (int i = 0; i < THREAD_M; ++i)
                a[i] = slab_A[ty + i * THREADS_M][p];
#pragma unroll
            for (int j = 0; j < THREAD_N; ++j)
                b[j] = slab_B[p][tx + j * THREADS_N];
#pragma unroll
            for (int i = 0; i < THREAD_M; ++i)
#pragma unroll
                for (int j = 0; j < THREAD_N; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
        int row = first_row + ty + i * THREADS_M;
#pragma unroll
        for (int j = 0; j < THREAD_N; ++j) {
            int col = first_col + tx + j * THREADS_N;
            if (row < m && col < n)
                C[(size_t)row * n + col] = sum[i][j];
        }
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int tiles_down = (m + BLOCK_M - 1) / BLOCK_M;
    int tiles_across = (n + BLOCK_N - 1) / BLOCK_N;
    multiply_register_tiled<<<tiles_down * tiles_across, THREADS>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
