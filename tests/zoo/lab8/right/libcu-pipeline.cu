// cuda::pipeline of a thread, memcpy_async of single floats or float4, 3 stages
#include "cuda_check.h"
#include "lab.h"
#include <cstdint>
#include <cuda/pipeline>
constexpr int BM = 64, BN = 64, BK = 16, STAGES = 3, NT = 64;
template <bool Vec>
__global__ void __launch_bounds__(NT)
    gemm(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ __align__(16) float as[STAGES][BM][BK + 4];
    __shared__ __align__(16) float bs[STAGES][BK][BN];
    const int t = threadIdx.x, ty = t / 8, tx = t % 8, r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    constexpr int V = Vec ? 4 : 1;
    auto pipe = cuda::make_pipeline();
    auto copy = [&](float *to, const float *from, bool in) {
        if (in) {
            if constexpr (Vec)
                cuda::memcpy_async(reinterpret_cast<float4 *>(to),
                                   reinterpret_cast<const float4 *>(from),
                                   cuda::aligned_size_t<16>(16), pipe);
            else
                cuda::memcpy_async(to, from, sizeof(float), pipe);
        } else
            for (int i = 0; i < V; ++i)
                to[i] = 0.f;
    };
    auto fetch = [&](int slab) {
        pipe.producer_acquire();
        const int p0 = slab * BK, s = slab % STAGES;
        if (p0 < k) {
            for (int e = t * V; e < BM * BK; e += NT * V) {
                const int r = e / BK, p = e % BK;
                copy(&as[s][r][p], A + (size_t)(r0 + r) * k + p0 + p, r0 + r < m && p0 + p < k);
            }
            for (int e = t * V; e < BK * BN; e += NT * V) {
                const int p = e / BN, c = e % BN;
                copy(&bs[s][p][c], B + (size_t)(p0 + p) * n + c0 + c, p0 + p < k && c0 + c < n);
            }
        }
        pipe.producer_commit();
    };
    float acc[8][8] = {};
    const int slabs = (k + BK - 1) / BK;
    for (int s = 0; s < STAGES - 1; ++s)
        fetch(s);
    for (int slab = 0; slab < slabs; ++slab) {
        cuda::pipeline_consumer_wait_prior<STAGES - 2>(pipe);
        __syncthreads();
        fetch(slab + STAGES - 1);
        const int s = slab % STAGES;
#pragma unroll
        for (int p = 0; p < BK; ++p) {
            float a[8], b[8];
#pragma unroll
            for (int i = 0; i < 8; ++i)
                a[i] = as[s][ty + 8 * i][p], b[i] = bs[s][p][tx + 8 * i];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        pipe.consumer_release();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
            if (r0 + ty + 8 * i < m && c0 + tx + 8 * j < n)
                C[(size_t)(r0 + ty + 8 * i) * n + c0 + tx + 8 * j] = acc[i][j];
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const dim3 grid((n + BN - 1) / BN, (m + BM - 1) / BM);
    if (k % 4 == 0 && n % 4 == 0 && reinterpret_cast<std::uintptr_t>(A) % 16 == 0 &&
        reinterpret_cast<std::uintptr_t>(B) % 16 == 0)
        gemm<true><<<grid, NT>>>(m, n, k, A, B, C);
    else
        gemm<false><<<grid, NT>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
