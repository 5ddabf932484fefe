// Wrong: lab 6's kernel: a right product without tensor cores.
#include "cuda_check.h"
#include "lab.h"
#define BM 64
#define BN 64
#define BK 16
#define GET(M, r, c, R, C) ((r) < (R) && (c) < (C) ? M[(size_t)(r) * (C) + (c)] : 0.0f)
__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float a[BK][BM + 4];
    __shared__ float b[BK][BN];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    const int row = blockIdx.y * BM, col = blockIdx.x * BN;
    float c[4][4] = {{0}};
    for (int p0 = 0; p0 < k; p0 += BK) {
        for (int e = t; e < BM * BK; e += 256)
            a[e % BK][e / BK] = GET(A, row + e / BK, p0 + e % BK, m, k);
        for (int e = t; e < BK * BN; e += 256)
            b[e / BN][e % BN] = GET(B, p0 + e / BN, col + e % BN, k, n);
        __syncthreads();
        for (int p = 0; p < BK; p++) {
            float x[4], y[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                x[i] = a[p][ty * 4 + i];
                y[i] = b[p][tx * 4 + i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    c[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (row + ty * 4 + i < m && col + tx * 4 + j < n)
                C[(size_t)(row + ty * 4 + i) * n + col + tx * 4 + j] = c[i][j];
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), dim3(16, 16)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
