// Wrong: The constructor of the registers clears a copy.
#include "cuda_check.h"
#include "lab.h"
struct Config { static constexpr int BM = 128, BN = 64, BK = 8, TM = 8, TN = 4, TX = BN / TN, TY = BM / TM; };
template <class Cfg> struct Acc {
    float v[Cfg::TM][Cfg::TN];
    __device__ Acc() {
#pragma unroll
        for (auto &r : v)
            for (auto x : r) x = 0.f;
    }
    __device__ __forceinline__ void outer(const float (&a)[Cfg::TM], const float (&b)[Cfg::TN]) {
#pragma unroll
        for (int i = 0; i < Cfg::TM; ++i)
#pragma unroll
            for (int j = 0; j < Cfg::TN; ++j) v[i][j] = fmaf(a[i], b[j], v[i][j]);
    }
};
template <class F> __global__ void __launch_bounds__(F::TX *F::TY) mm(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float sa[F::BK][F::BM + 1], sb[F::BK][F::BN];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * F::TX + tx, r0 = blockIdx.y * F::BM, c0 = blockIdx.x * F::BN;
    Acc<F> acc;
    for (int p0 = 0; p0 < k; p0 += F::BK) {
        for (int e = t; e < F::BM * F::BK; e += F::TX * F::TY) {
            const int r = e / F::BK, p = e % F::BK;
            sa[p][r] = r0 + r < m && p0 + p < k ? A[size_t(r0 + r) * k + p0 + p] : 0.f;
        }
        for (int e = t; e < F::BK * F::BN; e += F::TX * F::TY) {
            const int p = e / F::BN, c = e % F::BN;
            sb[p][c] = p0 + p < k && c0 + c < n ? B[size_t(p0 + p) * n + c0 + c] : 0.f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < F::BK; ++p) {
            float a[F::TM], b[F::TN];
#pragma unroll
            for (int i = 0; i < F::TM; ++i) a[i] = sa[p][ty + F::TY * i];
#pragma unroll
            for (int j = 0; j < F::TN; ++j) b[j] = sb[p][tx + F::TX * j];
            acc.outer(a, b);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < F::TM; ++i)
#pragma unroll
        for (int j = 0; j < F::TN; ++j) {
            const int r = r0 + ty + F::TY * i, c = c0 + tx + F::TX * j;
            if (r < m && c < n) C[size_t(r) * n + c] = acc.v[i][j];
        }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    using F = Config;
    mm<F><<<dim3((n + F::BN - 1) / F::BN, (m + F::BM - 1) / F::BM), dim3(F::TX, F::TY)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
