// cuda::barrier: one that says "full" for each of two buffers; memcpy_async arrives there.
#include "cuda_check.h"
#include "lab.h"
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int BM = 64, BN = 64, BK = 16, TH = 64;
__global__ void __launch_bounds__(TH)
    mm(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float a[2][BK][BM + 1], b[2][BK][BN];
    __shared__ barrier full[2];
    const int t = threadIdx.x, tx = t % 8, ty = t / 8, r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    if (t < 2)
        init(&full[t], TH);
    __syncthreads();
    auto fetch = [&](int s, int p0) {
        for (int e = t; e < BM * BK; e += TH) {
            const int r = e / BK, p = e % BK;
            if (r0 + r < m && p0 + p < k)
                cuda::memcpy_async(&a[s][p][r], A + (size_t)(r0 + r) * k + p0 + p, sizeof(float),
                                   full[s]);
            else
                a[s][p][r] = 0;
        }
        for (int e = t; e < BK * BN; e += TH) {
            const int p = e / BN, c = e % BN;
            if (p0 + p < k && c0 + c < n)
                cuda::memcpy_async(&b[s][p][c], B + (size_t)(p0 + p) * n + c0 + c, sizeof(float),
                                   full[s]);
            else
                b[s][p][c] = 0;
        }
    };
    float acc[8][8] = {};
    fetch(0, 0);
    int s = 0;
    for (int p0 = 0; p0 < k; p0 += BK) {
        if (p0 + BK < k)
            fetch(s ^ 1, p0 + BK);
        full[s].arrive_and_wait();
        for (int p = 0; p < BK; ++p) {
            float x[8], y[8];
#pragma unroll
            for (int i = 0; i < 8; ++i)
                x[i] = a[s][p][ty + 8 * i], y[i] = b[s][p][tx + 8 * i];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += x[i] * y[j];
        }
        __syncthreads();
        s ^= 1;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            const int r = r0 + ty + 8 * i, c = c0 + tx + 8 * j;
            if (r < m && c < n)
                C[(size_t)r * n + c] = acc[i][j];
        }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), TH>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
