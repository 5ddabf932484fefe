// Wrong: a thread computes 2 x 2 elements, a block 32 x 32: too little of each number that is read.

#include "cuda_check.h"
#include "lab.h"

template <int TM, int TN> struct Tile {
    static constexpr int SIDE = 16; // 16 x 16 threads
    static constexpr int BM = SIDE * TM, BN = SIDE * TN, BK = 16;
};

template <int TM, int TN>
__global__ void multiply_register_tiled(int m, int n, int k, const float *A, const float *B,
                                        float *C) {
    using T = Tile<TM, TN>;
    __shared__ float sa[T::BM][T::BK + 1];
    __shared__ float sb[T::BK][T::BN];

    int across = (n + T::BN - 1) / T::BN;
    int row0 = (int)(blockIdx.x / across) * T::BM;
    int col0 = (int)(blockIdx.x % across) * T::BN;
    int tx = threadIdx.x, ty = threadIdx.y;
    int t = ty * T::SIDE + tx;

    float sum[TM][TN];
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
            sum[i][j] = 0.0f;

    for (int k0 = 0; k0 < k; k0 += T::BK) {
#pragma unroll
        for (int c = 0; c < T::BM * T::BK; c += 256) {
            int y = (c + t) / T::BK, x = (c + t) % T::BK;
            bool there = row0 + y < m && k0 + x < k;
            sa[y][x] = there ? A[(size_t)(row0 + y) * k + k0 + x] : 0.0f;
        }
#pragma unroll
        for (int c = 0; c < T::BK * T::BN; c += 256) {
            int y = (c + t) / T::BN, x = (c + t) % T::BN;
            bool there = k0 + y < k && col0 + x < n;
            sb[y][x] = there ? B[(size_t)(k0 + y) * n + col0 + x] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int p = 0; p < T::BK; ++p) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i)
                a[i] = sa[i * T::SIDE + ty][p];
#pragma unroll
            for (int j = 0; j < TN; ++j)
                b[j] = sb[p][j * T::SIDE + tx];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            int row = row0 + i * T::SIDE + ty, col = col0 + j * T::SIDE + tx;
            if (row < m && col < n)
                C[(size_t)row * n + col] = sum[i][j];
        }
}

template <int TM, int TN>
static void launch(int m, int n, int k, const float *A, const float *B, float *C) {
    using T = Tile<TM, TN>;
    int blocks = ((m + T::BM - 1) / T::BM) * ((n + T::BN - 1) / T::BN);
    dim3 block(T::SIDE, T::SIDE);
    multiply_register_tiled<TM, TN><<<blocks, block>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    launch<2, 2>(m, n, k, A, B, C); // small tiles: more blocks for more multiprocessors
}
