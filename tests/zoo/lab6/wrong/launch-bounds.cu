// The kernel is launched with 512 threads, more than __launch_bounds__ allows
#include "cuda_check.h"
#include "lab.h"

// Slabs of 16 columns and rows.
const int BM = 128, BN = 128, BK = 16, TM = 8, TN = 8;
const int TX = BN / TN, TY = BM / TM, NTHREADS = TX * TY;

__device__ __forceinline__ float get(const float *M, int rows, int cols, int i, int j) {
    return i < rows && j < cols ? M[(size_t)i * cols + j] : 0.0f;
}

__global__ void __launch_bounds__(NTHREADS) regtile(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float sa[BM][BK];
    __shared__ float sb[BK][BN];
    int tiles_x = (n + BN - 1) / BN;
    int r0 = blockIdx.x / tiles_x * BM;
    int c0 = blockIdx.x % tiles_x * BN;
    int t = threadIdx.x;
    int tx = t % TX, ty = t / TX;
    float acc[TM][TN] = {};
    int steps = (k + BK - 1) / BK;
    for (int s = 0; s < steps; s++) {
#pragma unroll
        for (int u = 0; u < BM * BK / NTHREADS; u++) {
            int i = u * NTHREADS + t;
            sa[i / BK][i % BK] = get(A, m, k, r0 + i / BK, s * BK + i % BK);
        }
#pragma unroll
        for (int u = 0; u < BN * BK / NTHREADS; u++) {
            int i = u * NTHREADS + t;
            sb[i / BN][i % BN] = get(B, k, n, s * BK + i / BN, c0 + i % BN);
        }
        __syncthreads();
        for (int p = 0; p < BK; p++) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; i++) a[i] = sa[ty + TY * i][p];
#pragma unroll
            for (int j = 0; j < TN; j++) b[j] = sb[p][tx + TX * j];
#pragma unroll
            for (int i = 0; i < TM; i++) {
#pragma unroll
                for (int j = 0; j < TN; j++) acc[i][j] += a[i] * b[j];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; i++) {
        int r = r0 + ty + TY * i;
        if (r < m) {
#pragma unroll
            for (int j = 0; j < TN; j++) {
                int c = c0 + tx + TX * j;
                if (c < n) C[(size_t)r * n + c] = acc[i][j];
            }
        }
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int tiles_x = (n + BN - 1) / BN, tiles_y = (m + BM - 1) / BM;
    regtile<<<tiles_x * tiles_y, 2 * NTHREADS>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
