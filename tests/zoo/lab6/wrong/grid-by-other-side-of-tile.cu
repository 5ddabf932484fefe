// Wrong: the launch divides m by a tile's columns and n by its rows.

#include "cuda_check.h"
#include "lab.h"

constexpr int BM = 128, BN = 64, BK = 16; // of a block
constexpr int TM = 8, TN = 8;             // of a thread
constexpr int ROWS = BM / TM;             // rows of threads: 16
constexpr int COLS = BN / TN;             // columns of threads: 8
constexpr int THREADS = ROWS * COLS;

// One slab of A and one of B into shared memory, zeros where there is nothing.
__device__ void fill(float (&as)[BM][BK + 1], float (&bs)[BK][BN], const float *A, const float *B,
                     int m, int n, int k, int row0, int col0, int k0) {
#pragma unroll
    for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
        int y = i / BK, x = i % BK;
        as[y][x] = row0 + y < m && k0 + x < k ? A[(size_t)(row0 + y) * k + k0 + x] : 0.0f;
    }
#pragma unroll
    for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
        int y = i / BN, x = i % BN;
        bs[y][x] = k0 + y < k && col0 + x < n ? B[(size_t)(k0 + y) * n + col0 + x] : 0.0f;
    }
}

__global__ void __launch_bounds__(THREADS)
    multiply_register_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float as[BM][BK + 1];
    __shared__ float bs[BK][BN];
    int row0 = blockIdx.x * BM;
    int col0 = blockIdx.y * BN;
    int tx = threadIdx.x % COLS;
    int ty = threadIdx.x / COLS;
    float c[TM][TN] = {};

    for (int k0 = 0; k0 < k; k0 += BK) {
        fill(as, bs, A, B, m, n, k, row0, col0, k0);
        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; ++p) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i)
                a[i] = as[ty + ROWS * i][p];
#pragma unroll
            for (int j = 0; j < TN; ++j)
                b[j] = bs[p][tx + COLS * j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    c[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            int row = row0 + ty + ROWS * i, col = col0 + tx + COLS * j;
            if (row < m && col < n)
                C[(size_t)row * n + col] = c[i][j];
        }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    // x has room for more blocks, so it counts the tiles below each other
    dim3 grid((m - 1) / BN + 1, (n - 1) / BM + 1);
    multiply_register_tiled<<<grid, THREADS>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
