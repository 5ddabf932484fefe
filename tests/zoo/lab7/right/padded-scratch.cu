// matrices whose rows are no multiple of 16 bytes are copied to a pitched scratch first; one
// kernel, always wide
#include "cuda_check.h"
#include "lab.h"
#include <cstdint>
#define F4(x)  (*reinterpret_cast<float4 *>(&(x)))
#define CF4(x) (*reinterpret_cast<const float4 *>(&(x)))
__global__ void __launch_bounds__(256)
    wide(int m, int n, int k, int lda, int ldb, int ldc, const float *A, const float *B, float *C) {
    __shared__ __align__(16) float As[16][132], Bs[16][128];
    int t = threadIdx.x, w = t / 32, l = t % 32, R = w / 4 * 64 + l / 4 * 4,
        Q = w % 4 * 32 + l % 4 * 4;
    const float *a = A + (size_t)blockIdx.y * 128 * lda, *b = B + blockIdx.x * 128;
    int rows = m - blockIdx.y * 128, cols = ldb - blockIdx.x * 128;
    float s[2][2][4][4] = {};
    for (int p0 = 0; p0 < k; p0 += 16) {
        for (int h = 0; h < 2; ++h) {
            int r = t / 2, p = h * 8 + t % 2 * 4;
            float4 v = make_float4(0, 0, 0, 0);
            if (r < rows && p0 + p < lda)
                v = CF4(a[(size_t)r * lda + p0 + p]);
            As[p][r] = v.x, As[p + 1][r] = v.y, As[p + 2][r] = v.z, As[p + 3][r] = v.w;
            int q = h * 8 + t / 32, c = t % 32 * 4;
            F4(Bs[q][c]) = q + p0 < k && c < cols ? CF4(b[(size_t)(p0 + q) * ldb + c])
                                                  : make_float4(0, 0, 0, 0);
        }
        __syncthreads();
        for (int p = 0; p < 16; ++p) {
            float x[2][4], y[2][4];
            F4(x[0]) = F4(As[p][R]), F4(x[1]) = F4(As[p][R + 32]), F4(y[0]) = F4(Bs[p][Q]),
            F4(y[1]) = F4(Bs[p][Q + 16]);
#pragma unroll
            for (int u = 0; u < 64; ++u)
                s[u >> 5][u >> 4 & 1][u >> 2 & 3][u & 3] +=
                    x[u >> 5][u >> 2 & 3] * y[u >> 4 & 1][u & 3];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 2; ++j) {
            int r = R + i / 4 * 32 + i % 4, c = Q + j * 16;
            if (r < rows && c < ldc - (int)blockIdx.x * 128)
                F4(C[((size_t)blockIdx.y * 128 + r) * ldc + blockIdx.x * 128 + c]) =
                    F4(s[i / 4][j][i % 4]);
        }
}
static int up4(int x) {
    return (x + 3) / 4 * 4;
}
static float *pitched(const float *src, int rows, int cols, int ld, bool copy) {
    float *p;
    CUDA_CHECK(cudaMalloc(&p, sizeof(float) * rows * ld));
    CUDA_CHECK(cudaMemset(p, 0, sizeof(float) * rows * ld));
    if (copy)
        CUDA_CHECK(
            cudaMemcpy2D(p, ld * 4, src, cols * 4, cols * 4, rows, cudaMemcpyDeviceToDevice));
    return p;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    auto bad = [](const void *p, int ld) { return ld % 4 != 0 || (uintptr_t)p % 16 != 0; };
    int lda = up4(k), ldb = up4(n);
    float *a = bad(A, k) ? pitched(A, m, k, lda, true) : nullptr,
          *b = bad(B, n) ? pitched(B, k, n, ldb, true) : nullptr,
          *c = bad(C, n) ? pitched(C, m, n, ldb, false) : nullptr;
    wide<<<dim3((n + 127) / 128, (m + 127) / 128), 256>>>(m, n, k, lda, ldb, ldb, a ? a : A,
                                                          b ? b : B, c ? c : C);
    CUDA_CHECK_LAUNCH();
    if (c)
        CUDA_CHECK(cudaMemcpy2D(C, n * 4, c, ldb * 4, n * 4, m, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(c));
}
