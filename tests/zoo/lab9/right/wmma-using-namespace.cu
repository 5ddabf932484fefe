// wmma with its namespace opened at the top, fragments split element by element, B by columns.
#include "cuda_check.h"
#include "lab.h"
#include <mma.h>
using namespace nvcuda::wmma;
typedef fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> FragA;
typedef fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> FragB;
typedef fragment<accumulator, 16, 16, 8, float> FragC;
template <class F> __device__ void split(const F &f, F &hi, F &lo) {
#pragma unroll
    for (int i = 0; i < f.num_elements; i++) {
        hi.x[i] = __float_to_tf32(f.x[i]);
        lo.x[i] = __float_to_tf32(f.x[i] - hi.x[i]);
    }
}
#define TILE 64
#define STEP 32
__global__ void mmul(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float a[TILE * (STEP + 4)], b[TILE * (STEP + 4)];
    __shared__ float c[TILE * TILE];
    int warp = threadIdx.y, lane = threadIdx.x,
        t = warp * 32 + lane; // 8 warps: 4 x 2 tiles of 16 x 32
    int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    FragC tot[2], s[2];
    fill_fragment(tot[0], 0.0f);
    fill_fragment(tot[1], 0.0f);
    for (int p0 = 0; p0 < k; p0 += STEP) {
        for (int e = t; e < TILE * STEP; e += 256) {
            int r = e / STEP, p = e % STEP;
            a[r * (STEP + 4) + p] = r0 + r < m && p0 + p < k ? A[(size_t)(r0 + r) * k + p0 + p] : 0;
            p = e / TILE;
            r = e % TILE;
            b[r * (STEP + 4) + p] = p0 + p < k && c0 + r < n ? B[(size_t)(p0 + p) * n + c0 + r] : 0;
        }
        __syncthreads();
        fill_fragment(s[0], 0.0f);
        fill_fragment(s[1], 0.0f);
        for (int p = 0; p < STEP; p += 8) {
            FragA fa, ah, al;
            load_matrix_sync(fa, a + warp / 2 * 16 * (STEP + 4) + p, STEP + 4);
            split(fa, ah, al);
            for (int j = 0; j < 2; j++) {
                FragB fb, bh, bl;
                load_matrix_sync(fb, b + (warp % 2 * 32 + j * 16) * (STEP + 4) + p, STEP + 4);
                split(fb, bh, bl);
                mma_sync(s[j], ah, bl, s[j]);
                mma_sync(s[j], al, bh, s[j]);
                mma_sync(s[j], ah, bh, s[j]);
            }
        }
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < s[j].num_elements; i++)
                tot[j].x[i] += s[j].x[i];
        __syncthreads();
    }
    for (int j = 0; j < 2; j++)
        store_matrix_sync(c + warp / 2 * 16 * TILE + warp % 2 * 32 + j * 16, tot[j], TILE,
                          mem_row_major);
    __syncthreads();
    for (int e = t; e < TILE * TILE; e += 256)
        if (r0 + e / TILE < m && c0 + e % TILE < n)
            C[(size_t)(r0 + e / TILE) * n + c0 + e % TILE] = c[e];
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(32, 8), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    mmul<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
