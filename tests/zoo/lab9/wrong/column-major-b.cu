// Wrong: B's fragment is loaded as if the slab were stored by columns.
#include <mma.h>
#include "cuda_check.h"
#include "lab.h"
using namespace nvcuda;

constexpr int BM = 64, BN = 64, BK = 16, LDA = BK + 4, LDB = BN + 8, LDC = BN + 4;

template <class Frag> __device__ void split(Frag &big, Frag &small) {
    for (int i = 0; i < big.num_elements; ++i) {
        const float x = big.x[i], b = wmma::__float_to_tf32(x);
        big.x[i] = b;
        small.x[i] = wmma::__float_to_tf32(x - b);
    }
}

__global__ void __launch_bounds__(128) kernel(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ __align__(32) float a[BM * LDA];
    __shared__ __align__(32) float b[BK * LDB];
    __shared__ __align__(32) float c[BM * LDC];
    const int warp = threadIdx.x / 32, wr = warp / 2 * 32, wc = warp % 2 * 32;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum[2][2], total[2][2];
    for (auto &row : total)
        for (auto &f : row) wmma::fill_fragment(f, 0.0f);
    for (auto &row : sum)
        for (auto &f : row) wmma::fill_fragment(f, 0.0f);
    for (int p0 = 0; p0 < k; p0 += BK) {
        for (int e = threadIdx.x; e < BM * BK; e += 128) {
            const int r = e / BK, p = e % BK;
            a[r * LDA + p] = r0 + r < m && p0 + p < k ? A[(size_t)(r0 + r) * k + p0 + p] : 0.0f;
        }
        for (int e = threadIdx.x; e < BK * BN; e += 128) {
            const int p = e / BN, j = e % BN;
            b[p * LDB + j] = p0 + p < k && c0 + j < n ? B[(size_t)(p0 + p) * n + c0 + j] : 0.0f;
        }
        __syncthreads();
        for (int p = 0; p < BK; p += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> ab[2], as[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> bb[2], bs[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(ab[i], a + (wr + 16 * i) * LDA + p, LDA);
                split(ab[i], as[i]);
                wmma::load_matrix_sync(bb[i], b + p * LDB + wc + 16 * i, LDB);
                split(bb[i], bs[i]);
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) {
                    wmma::mma_sync(sum[i][j], as[i], bb[j], sum[i][j]);
                    wmma::mma_sync(sum[i][j], ab[i], bs[j], sum[i][j]);
                    wmma::mma_sync(sum[i][j], ab[i], bb[j], sum[i][j]);
                }
        }
        __syncthreads();
        if ((p0 / BK + 1) % 4 == 0 || p0 + BK >= k)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j)
                    for (int e = 0; e < sum[i][j].num_elements; ++e) {
                        total[i][j].x[e] += sum[i][j].x[e];
                        sum[i][j].x[e] = 0.0f;
                    }
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(c + (wr + 16 * i) * LDC + wc + 16 * j, total[i][j], LDC, wmma::mem_row_major);
    __syncthreads();
    for (int e = threadIdx.x; e < BM * BN; e += 128) {
        const int r = e / BN, j = e % BN;
        if (r0 + r < m && c0 + j < n)
            C[(size_t)(r0 + r) * n + c0 + j] = c[r * LDC + j];
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    kernel<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), 128>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
