// Fragments are stored by columns, so each 16 x 16 square of C is transposed.
#include "cuda_check.h"
#include "lab.h"
#include <mma.h>

using namespace nvcuda;

constexpr int TM = 64, TN = 64, TK = 16, FLUSH_AT = 256;
constexpr int PA = TK + 4, PB = TN + 8, PC = TN + 4;

typedef wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> FragA;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> FragB;
typedef wmma::fragment<wmma::accumulator, 16, 16, 8, float> FragC;

template <class F> __device__ void cut(const F &x, F &hi, F &lo) {
    for (int i = 0; i < x.num_elements; ++i) {
        hi.x[i] = wmma::__float_to_tf32(x.x[i]);
        lo.x[i] = wmma::__float_to_tf32(x.x[i] - hi.x[i]);
    }
}

__global__ void __launch_bounds__(128)
wmma3(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ __align__(32) float sa[TM * PA];
    __shared__ __align__(32) float sb[TK * PB];
    __shared__ __align__(32) float sc[TM * PC];
    const int t = threadIdx.x, warp = t / 32;
    const int r0 = blockIdx.x * TM, c0 = blockIdx.y * TN;
    const int wr = warp / 2 * 32, wc = warp % 2 * 32;

    FragC acc[2][2], total[2][2];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            wmma::fill_fragment(acc[i][j], 0.0f);
            wmma::fill_fragment(total[i][j], 0.0f);
        }

    for (int k0 = 0; k0 < k; k0 += TK) {
        for (int e = t; e < TM * TK; e += 128) {
            const int r = e / TK, p = e % TK;
            sa[r * PA + p] = r0 + r < m && k0 + p < k ? A[(size_t)(r0 + r) * k + k0 + p] : 0.0f;
        }
        for (int e = t; e < TK * TN; e += 128) {
            const int p = e / TN, c = e % TN;
            sb[p * PB + c] = k0 + p < k && c0 + c < n ? B[(size_t)(k0 + p) * n + c0 + c] : 0.0f;
        }
        __syncthreads();

        for (int p = 0; p < TK; p += 8) {
            FragA a, ah[2], al[2];
            FragB b, bh, bl;
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(a, sa + (wr + 16 * i) * PA + p, PA);
                cut(a, ah[i], al[i]);
            }
            for (int j = 0; j < 2; ++j) {
                wmma::load_matrix_sync(b, sb + p * PB + wc + 16 * j, PB);
                cut(b, bh, bl);
                for (int i = 0; i < 2; ++i) {
                    wmma::mma_sync(acc[i][j], al[i], bh, acc[i][j]);
                    wmma::mma_sync(acc[i][j], ah[i], bl, acc[i][j]);
                    wmma::mma_sync(acc[i][j], ah[i], bh, acc[i][j]);
                }
            }
        }
        __syncthreads();

        if ((k0 + TK) % FLUSH_AT == 0 || k0 + TK >= k)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) {
                    for (int e = 0; e < acc[i][j].num_elements; ++e)
                        total[i][j].x[e] += acc[i][j].x[e];
                    wmma::fill_fragment(acc[i][j], 0.0f);
                }
    }

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            float *corner = sc + (wr + 16 * i) * PC + wc + 16 * j;
            wmma::store_matrix_sync(corner, total[i][j], PC, wmma::mem_col_major);
        }
    __syncthreads();
    for (int e = t; e < TM * TN; e += 128) {
        const int r = e / TN, c = e % TN;
        if (r0 + r < m && c0 + c < n)
            C[(size_t)(r0 + r) * n + c0 + c] = sc[r * PC + c];
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    wmma3<<<dim3((m + TM - 1) / TM, (n + TN - 1) / TN), 128>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
