// Lab 4's kernel computes what is smaller than 256.
// Lab 6: a tile of C in every thread's registers.

#include "cuda_check.h"
#include "lab.h"

constexpr int BLOCK_M = 128; // a block computes BLOCK_M x BLOCK_N elements of C ...
constexpr int BLOCK_N = 128;
constexpr int SLAB_K = 8;   // ... and in each phase takes SLAB_K columns of A and rows of B
constexpr int THREAD_M = 8; // a thread computes THREAD_M x THREAD_N of them
constexpr int THREAD_N = 8;
constexpr int THREADS_M = BLOCK_M / THREAD_M;
constexpr int THREADS_N = BLOCK_N / THREAD_N;
constexpr int THREADS = THREADS_M * THREADS_N;
constexpr int BLOCKS_PER_SM = 2;

__global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    multiply_register_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float slab_A[BLOCK_M][SLAB_K];
    __shared__ float slab_B[SLAB_K][BLOCK_N];

    int blocks_across = (n - 1) / BLOCK_N + 1;
    int first_row = (int)(blockIdx.x / blocks_across) * BLOCK_M; // of this block's tile of C
    int first_col = (int)(blockIdx.x % blocks_across) * BLOCK_N;

    int thread = threadIdx.x;
    int tx = thread % THREADS_N;
    int ty = thread / THREADS_N;
    float sum[THREAD_M][THREAD_N] = {};

    int slabs = (k - 1) / SLAB_K + 1; // rounded up
    for (int slab = 0; slab < slabs; ++slab) {
        int first_k = slab * SLAB_K;
#pragma unroll
        for (int copied = 0; copied < BLOCK_M * SLAB_K; copied += THREADS) {
            int i = copied + thread;
            int row = first_row + i / SLAB_K;
            int p = i % SLAB_K;
            bool exists = row < m && p < k - first_k;
            slab_A[i / SLAB_K][p] = exists ? A[(size_t)row * k + first_k + p] : 0.0f;
        }
#pragma unroll
        for (int copied = 0; copied < SLAB_K * BLOCK_N; copied += THREADS) {
            int i = copied + thread;
            int p = i / BLOCK_N;
            int col = first_col + i % BLOCK_N;
            bool exists = p < k - first_k && col < n;
            slab_B[p][i % BLOCK_N] = exists ? B[(size_t)(first_k + p) * n + col] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int p = 0; p < SLAB_K; ++p) {
            float a[THREAD_M];
            float b[THREAD_N];
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

// For products of few blocks.
constexpr int TILE = 32;
constexpr int MAX_GRID_HEIGHT = 65535;

__global__ void __launch_bounds__(TILE *TILE)
    multiply_small(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float tile_A[TILE][TILE];
    __shared__ float tile_B[TILE][TILE];

    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;

    float sum = 0.0f;
    int phases = (k - 1) / TILE + 1; // rounded up
    for (int phase = 0; phase < phases; ++phase) {
        int col_A = phase * TILE + x;
        int row_B = phase * TILE + y;
        tile_A[y][x] = row < m && col_A < k ? A[(size_t)row * k + col_A] : 0.0f;
        tile_B[y][x] = row_B < k && col < n ? B[(size_t)row_B * n + col] : 0.0f;
        __syncthreads();

        for (int p = 0; p < TILE; ++p)
            sum += tile_A[y][p] * tile_B[p][x];
        __syncthreads();
    }
    if (row < m && col < n)
        C[(size_t)row * n + col] = sum;
}

static void launch_small(int m, int n, int k, const float *A, const float *B, float *C) {
    const int max_rows = MAX_GRID_HEIGHT * TILE;
    dim3 block(TILE, TILE);
    for (int first = 0, rows; first < m; first += rows) {
        rows = m - first < max_rows ? m - first : max_rows;
        dim3 grid((n - 1) / TILE + 1, (rows - 1) / TILE + 1);
        multiply_small<<<grid, block>>>(rows, n, k, A + (size_t)first * k, B,
                                        C + (size_t)first * n);
        CUDA_CHECK_LAUNCH();
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    if (m < 2 * BLOCK_M || n < 2 * BLOCK_N) {
        launch_small(m, n, k, A, B, C);
        return;
    }
    int tiles = ((m - 1) / BLOCK_M + 1) * ((n - 1) / BLOCK_N + 1); // each rounded up
    multiply_register_tiled<<<tiles, THREADS>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
