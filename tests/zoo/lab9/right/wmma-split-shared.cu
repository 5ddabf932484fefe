// wmma tf32: A and B are split when they come into shared memory (big and small slabs), three
// products, flushed each slab
#include "cuda_check.h"
#include "lab.h"
#include <mma.h>
using namespace nvcuda;
constexpr int BM = 64, BN = 64, BK = 16, LD_A = BK + 4, LD_B = BN + 4, WARPS = 4;
__global__ void __launch_bounds__(WARPS * 32)
    tc(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ __align__(32) float ab[BM][LD_A], as[BM][LD_A], bb[BK][LD_B], bs[BK][LD_B];
    __shared__ __align__(32) float out[BM][BN + 4];
    const int t = threadIdx.x, warp = t / 32, wr = warp / 2 * 32, wc = warp % 2 * 32;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float total[BM * BN / (WARPS * 32)] = {};
    for (int p0 = 0; p0 < k; p0 += BK) {
        for (int e = t; e < BM * BK; e += WARPS * 32) {
            const int r = e / BK, p = e % BK;
            const float x = r0 + r < m && p0 + p < k ? A[(size_t)(r0 + r) * k + p0 + p] : 0.0f;
            const float hi = wmma::__float_to_tf32(x);
            ab[r][p] = hi;
            as[r][p] = wmma::__float_to_tf32(x - hi);
        }
        for (int e = t; e < BK * BN; e += WARPS * 32) {
            const int p = e / BN, c = e % BN;
            const float x = p0 + p < k && c0 + c < n ? B[(size_t)(p0 + p) * n + c0 + c] : 0.0f;
            const float hi = wmma::__float_to_tf32(x);
            bb[p][c] = hi;
            bs[p][c] = wmma::__float_to_tf32(x - hi);
        }
        __syncthreads();
        wmma::fragment<wmma::accumulator, 16, 16, 8, float> acc[2][2];
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                wmma::fill_fragment(acc[i][j], 0.0f);
        for (int p = 0; p < BK; p += 8)
            for (int i = 0; i < 2; ++i) {
                wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major>
                    ah, al;
                wmma::load_matrix_sync(ah, &ab[wr + 16 * i][p], LD_A);
                wmma::load_matrix_sync(al, &as[wr + 16 * i][p], LD_A);
                for (int j = 0; j < 2; ++j) {
                    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32,
                                   wmma::row_major>
                        bh, bl;
                    wmma::load_matrix_sync(bh, &bb[p][wc + 16 * j], LD_B);
                    wmma::load_matrix_sync(bl, &bs[p][wc + 16 * j], LD_B);
                    wmma::mma_sync(acc[i][j], al, bh, acc[i][j]);
                    wmma::mma_sync(acc[i][j], ah, bl, acc[i][j]);
                    wmma::mma_sync(acc[i][j], ah, bh, acc[i][j]);
                }
            }
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                wmma::store_matrix_sync(&out[wr + 16 * i][wc + 16 * j], acc[i][j], BN + 4,
                                        wmma::mem_row_major);
        __syncthreads();
        for (int i = 0, e = t; e < BM * BN; e += WARPS * 32, ++i)
            total[i] += out[e / BN][e % BN];
        __syncthreads();
    }
    for (int i = 0, e = t; e < BM * BN; e += WARPS * 32, ++i) {
        const int r = r0 + e / BN, c = c0 + e % BN;
        if (r < m && c < n)
            C[(size_t)r * n + c] = total[i];
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    tc<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), WARPS * 32>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
