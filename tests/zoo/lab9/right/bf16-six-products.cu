// three bfloat16 parts of each float, six products: float's accuracy without TF32
#include "cuda_check.h"
#include "lab.h"
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
using bf = __nv_bfloat16;
constexpr int BM = 64, BN = 64, BK = 16;
__device__ void parts(float x, bf *to, int step) {
    for (int i = 0; i < 3; ++i) {
        const bf b = __float2bfloat16(x);
        to[i * step] = b;
        x -= __bfloat162float(b);
    }
}
__global__ void __launch_bounds__(128)
    bf3(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ __align__(32) bf a[3][BM][BK + 8], b[3][BK][BN + 8];
    __shared__ __align__(32) float out[BM][BN + 4];
    const int t = threadIdx.x, warp = t / 32, wr = warp / 2 * 32, wc = warp % 2 * 32,
              r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float total[32] = {};
    for (int p0 = 0; p0 < k; p0 += BK) {
        for (int e = t; e < BM * BK; e += 128)
            parts(r0 + e / BK < m && p0 + e % BK < k ? A[(size_t)(r0 + e / BK) * k + p0 + e % BK]
                                                     : 0.f,
                  &a[0][e / BK][e % BK], BM * (BK + 8));
        for (int e = t; e < BK * BN; e += 128)
            parts(p0 + e / BN < k && c0 + e % BN < n ? B[(size_t)(p0 + e / BN) * n + c0 + e % BN]
                                                     : 0.f,
                  &b[0][e / BN][e % BN], BK * (BN + 8));
        __syncthreads();
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) {
                wmma::fragment<wmma::accumulator, 16, 16, 16, float> s;
                wmma::fill_fragment(s, 0.f);
                for (int sum = 2; sum >= 0; --sum)
                    for (int u = 0; u <= sum; ++u) {
                        wmma::fragment<wmma::matrix_a, 16, 16, 16, bf, wmma::row_major> fa;
                        wmma::fragment<wmma::matrix_b, 16, 16, 16, bf, wmma::row_major> fb;
                        wmma::load_matrix_sync(fa, &a[u][wr + 16 * i][0], BK + 8);
                        wmma::load_matrix_sync(fb, &b[sum - u][0][wc + 16 * j], BN + 8);
                        wmma::mma_sync(s, fa, fb, s);
                    }
                wmma::store_matrix_sync(&out[wr + 16 * i][wc + 16 * j], s, BN + 4,
                                        wmma::mem_row_major);
            }
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            total[i] += out[(t + 128 * i) / BN][(t + 128 * i) % BN];
        __syncthreads();
    }
    for (int i = 0; i < 32; ++i) {
        const int r = r0 + (t + 128 * i) / BN, c = c0 + (t + 128 * i) % BN;
        if (r < m && c < n)
            C[(size_t)r * n + c] = total[i];
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    bf3<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), 128>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
