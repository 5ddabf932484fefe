// mma.sync.m16n8k4 tf32 by hand, B stored transposed, fragments kept in registers, totals in
// registers too
#include "cuda_check.h"
#include "lab.h"
#include <stdint.h>
__device__ __forceinline__ void mma4(float *d, const uint32_t *a, uint32_t b) {
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
                 "{%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b));
}
__device__ __forceinline__ uint32_t tf32(float x) {
    uint32_t r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));
    return r;
}
struct Pair {
    uint32_t hi, lo;
};
__device__ __forceinline__ Pair cut(float x) {
    Pair p;
    p.hi = tf32(x);
    p.lo = tf32(x - __uint_as_float(p.hi));
    return p;
}
constexpr int BM = 64, BN = 64, BK = 32;
__global__ void __launch_bounds__(128)
    k9(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float a[BM][BK + 4], bt[BN][BK + 4];
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5, g = lane >> 2, q = lane & 3;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN, wr = (warp >> 1) * 32,
              wc = (warp & 1) * 32;
    float tot[2][4][4] = {};
    for (int p0 = 0; p0 < k; p0 += BK) {
        for (int e = t; e < BM * BK; e += 128)
            a[e / BK][e % BK] = r0 + e / BK < m && p0 + e % BK < k
                                    ? A[(size_t)(r0 + e / BK) * k + p0 + e % BK]
                                    : 0.f;
        for (int e = t; e < BK * BN; e += 128)
            bt[e % BN][e / BN] = p0 + e / BN < k && c0 + e % BN < n
                                     ? B[(size_t)(p0 + e / BN) * n + c0 + e % BN]
                                     : 0.f;
        __syncthreads();
        float s[2][4][4] = {};
#pragma unroll
        for (int p = 0; p < BK; p += 4) {
            uint32_t ah[2][2], al[2][2], bh[4], bl[4];
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    Pair x = cut(a[wr + 16 * i + g + 8 * h][p + q]);
                    ah[i][h] = x.hi;
                    al[i][h] = x.lo;
                }
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                Pair x = cut(bt[wc + 8 * j + g][p + q]);
                bh[j] = x.hi;
                bl[j] = x.lo;
            }
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    mma4(s[i][j], al[i], bh[j]);
                    mma4(s[i][j], ah[i], bl[j]);
                    mma4(s[i][j], ah[i], bh[j]);
                }
        }
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int x = 0; x < 4; ++x)
                    tot[i][j][x] += s[i][j][x];
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int x = 0; x < 4; ++x) {
                const int r = r0 + wr + 16 * i + g + (x >> 1) * 8,
                          c = c0 + wc + 8 * j + 2 * q + (x & 1);
                if (r < m && c < n)
                    C[(size_t)r * n + c] = tot[i][j][x];
            }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    k9<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), 128>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
