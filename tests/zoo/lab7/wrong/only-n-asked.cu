// Wrong: wide loads are chosen where n is a multiple of 4, whatever k is.
#include "cuda_check.h"
#include "lab.h"
#include <stdint.h>
#include <string.h>

constexpr int BM = 128, BN = 128, BK = 16, PAD = 4;

__device__ __forceinline__ void get(float *v, const float *s) {
    float4 q = *reinterpret_cast<const float4 *>(s);
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
}
#define GET(v, s) get(v, s)

__device__ __forceinline__ void ld(bool W, float *v, const float *M, int r, int c, int rows,
                                   int cols) {
    if (W) {
        float4 q = make_float4(0, 0, 0, 0);
        if (r < rows && c < cols)
            q = reinterpret_cast<const float4 *>(M + (size_t)r * cols + c)[0];
        v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
    } else {
        for (int e = 0; e < 4; ++e)
            v[e] = r < rows && c + e < cols ? M[(size_t)r * cols + c + e] : 0.0f;
    }
}

__device__ __forceinline__ void st(bool W, float *M, int r, int c, int rows, int cols,
                                   const float *v) {
    if (W) {
        if (r < rows && c < cols)
            *(float4 *)(M + (size_t)r * cols + c) = make_float4(v[0], v[1], v[2], v[3]);
    } else {
        if (r < rows)
            for (int e = 0; e < 4; ++e)
                if (c + e < cols)
                    M[(size_t)r * cols + c + e] = v[e];
    }
}
#define LOAD(v, M, r, c, rows, cols)  ld(W, v, M, r, c, rows, cols)
#define STORE(M, r, c, rows, cols, v) st(W, M, r, c, rows, cols, v)

__global__ void __launch_bounds__(256)
    gemm(bool W, int m, int n, int k, const float *__restrict__ A, const float *__restrict__ B,
         float *__restrict__ C) {
    __shared__ __align__(16) float As[BK][BM + PAD];
    __shared__ __align__(16) float Bs[BK][BN];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    const int wr = warp / 4 * 64 + lane / 4 * 4, wc = warp % 4 * 32 + lane % 4 * 4;
    float acc[8][8] = {};

    for (int k0 = 0; k0 < k; k0 += BK) {
        for (int s = 0; s < BM * BK / 4; s += 256) {
            int q = s + t;
            int r = q / 2 % BM, p = q / (2 * BM) * 8 + q % 2 * 4;
            float v[4];
            LOAD(v, A, row0 + r, k0 + p, m, k);
            for (int e = 0; e < 4; ++e)
                As[p + e][r] = v[e];
        }
        for (int s = 0; s < BK * BN / 4; s += 256) {
            int q = s + t;
            int p = q / (BN / 4), c = q % (BN / 4) * 4;
            float v[4];
            LOAD(v, B, k0 + p, col0 + c, k, n);
            *(float4 *)&Bs[p][c] = make_float4(v[0], v[1], v[2], v[3]);
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; ++p) {
            float a[8], b[8];
            GET(a, &As[p][wr]);
            GET(a + 4, &As[p][wr + 32]);
            GET(b, &Bs[p][wc]);
            GET(b + 4, &Bs[p][wc + 16]);
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; j += 4)
            STORE(C, row0 + wr + i / 4 * 32 + i % 4, col0 + wc + j * 4, m, n, &acc[i][j]);
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 grid((n + BN - 1) / BN, (m + BM - 1) / BM);
    bool wide = n % 4 == 0 && (((uintptr_t)A | (uintptr_t)B | (uintptr_t)C) & 15) == 0;
    gemm<<<grid, 256>>>(wide, m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
