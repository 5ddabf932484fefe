// The guard of the load of B compares the column with k.
#include "cuda_check.h"
#include "lab.h"

enum { TW = 32, TH = 16, TK = 16 };

__global__ void rect(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float sa[TH][TK];
    __shared__ float sb[TK][TW];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.x * TH + y;
    const int col = blockIdx.y * TW + x;
    float c = 0.0f;
    for (int p0 = 0; p0 < k; p0 += TK) {
        if (x < TK)
            sa[y][x] = row < m && p0 + x < k ? A[(size_t)row * k + p0 + x] : 0.0f;
        sb[y][x] = p0 + y < k && col < k ? B[(size_t)(p0 + y) * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int p = 0; p < TK; ++p)
            c += sa[y][p] * sb[p][x];
        __syncthreads();
    }
    if (row < m && col < n)
        C[(size_t)row * n + col] = c;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 grid((m + TH - 1) / TH, (n + TW - 1) / TW);
    rect<<<grid, dim3(TW, TH)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
