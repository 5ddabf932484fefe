// Wrong: the kernel for what is left of k beyond whole slabs begins at p = 0 and adds to what is
// there already. Seen only where whole tiles go the wide way and k is no multiple of 16. whole
// tiles go by the asynchronous kernel; the ragged remainder (right, bottom, rest of k) by a plain
// one
#include "cuda_check.h"
#include "lab.h"
#include <cstdint>
#include <cuda_pipeline.h>
constexpr int T = 64, D = 16;
__global__ void __launch_bounds__(64)
    whole(int n, int k, int depth, const float *A, const float *B, float *C) {
    __shared__ __align__(16) float a[2][T][D + 4], b[2][D][T];
    const int t = threadIdx.x, tx = t % 8, ty = t / 8, r0 = blockIdx.y * T, c0 = blockIdx.x * T;
    auto go = [&](int s, int p0) {
#pragma unroll
        for (int i = 0; i < T * D / 4 / 64; ++i) {
            const int e = (t + 64 * i) * 4;
            __pipeline_memcpy_async(&a[s][e / D][e % D], A + (size_t)(r0 + e / D) * k + p0 + e % D,
                                    16);
            __pipeline_memcpy_async(&b[s][e / T][e % T], B + (size_t)(p0 + e / T) * n + c0 + e % T,
                                    16);
        }
        __pipeline_commit();
    };
    float acc[8][8] = {};
    go(0, 0);
    for (int p0 = 0, s = 0; p0 < depth; p0 += D, s ^= 1) {
        if (p0 + D < depth) {
            go(s ^ 1, p0 + D);
            __pipeline_wait_prior(1);
        } else
            __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll
        for (int p = 0; p < D; ++p) {
            float x[8], y[8];
#pragma unroll
            for (int i = 0; i < 8; ++i)
                x[i] = a[s][ty + 8 * i][p], y[i] = b[s][p][tx + 8 * i];
#pragma unroll
            for (int i = 0; i < 64; ++i)
                acc[i >> 3][i & 7] += x[i >> 3] * y[i & 7];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 64; ++i)
        C[(size_t)(r0 + ty + 8 * (i >> 3)) * n + c0 + tx + 8 * (i & 7)] = acc[i >> 3][i & 7];
}
// rows from `top`, columns from `left`, k from `from`; adds to C inside the tiles that `whole` made
__global__ void rest(int m, int n, int k, int mw, int nw, int kw, const float *A, const float *B,
                     float *C) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (r >= m || c >= n)
        return;
    const bool done = r < mw && c < nw && kw > 0;
    if (done && kw == k)
        return;
    float s = done ? C[(size_t)r * n + c] : 0.f;
    for (int p = 0; p < k; ++p)
        s += A[(size_t)r * k + p] * B[(size_t)p * n + c];
    C[(size_t)r * n + c] = s;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const bool ok = k % 4 == 0 && n % 4 == 0 && ((uintptr_t)A | (uintptr_t)B) % 16 == 0;
    const int mw = ok ? m / T * T : 0, nw = ok ? n / T * T : 0, kw = ok ? k / D * D : 0;
    if (mw && nw && kw) {
        whole<<<dim3(nw / T, mw / T), 64>>>(n, k, kw, A, B, C);
        CUDA_CHECK_LAUNCH();
    }
    if (!(mw == m && nw == n && kw == k)) {
        rest<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(m, n, k, mw && nw && kw ? mw : 0,
                                                                nw, mw && nw ? kw : 0, A, B, C);
        CUDA_CHECK_LAUNCH();
    }
}
