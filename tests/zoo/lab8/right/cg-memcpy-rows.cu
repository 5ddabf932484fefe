// cooperative groups: a block copies row after row; rows clipped at the edge, zeros by hand
#include "cuda_check.h"
#include "lab.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
constexpr int BM = 64, BN = 128, BK = 16, TH = 128;
__global__ void __launch_bounds__(TH)
    rows(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ __align__(16) float a[2][BM][BK], b[2][BK][BN];
    cg::thread_block block = cg::this_thread_block();
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN, tx = threadIdx.x % 16,
              ty = threadIdx.x / 16;
    const int nb = min(BN, n - c0);
    float acc[8][8] = {};
    auto fetch = [&](int s, int p0) {
        const int ka = min(BK, k - p0);
        for (int r = 0; r < BM && r0 + r < m; ++r)
            cg::memcpy_async(block, &a[s][r][0], A + size_t(r0 + r) * k + p0, ka * sizeof(float));
        for (int p = 0; p < ka; ++p)
            cg::memcpy_async(block, &b[s][p][0], B + size_t(p0 + p) * n + c0, nb * sizeof(float));
    };
    auto clear = [&](float *p, int count) {
        for (int i = threadIdx.x; i < count; i += TH)
            p[i] = 0;
    };
    clear(&a[0][0][0], 2 * BM * BK);
    clear(&b[0][0][0], 2 * BK * BN);
    block.sync();
    fetch(0, 0);
    int s = 0;
    for (int p0 = 0; p0 < k; p0 += BK, s ^= 1) {
        cg::wait(block);
        const int depth = min(BK, k - p0);
        if (p0 + BK < k)
            fetch(s ^ 1, p0 + BK);
        for (int p = 0; p < depth; ++p) {
            float x[8], y[8];
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                x[i] = a[s][ty + 8 * i][p];
                y[i] = b[s][p][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 64; ++i)
                acc[i / 8][i % 8] += x[i / 8] * y[i % 8];
        }
        block.sync();
    }
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        const int r = r0 + ty + 8 * (i / 8), c = c0 + tx + 16 * (i % 8);
        if (r < m && c < n)
            C[size_t(r) * n + c] = acc[i / 8][i % 8];
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    rows<<<dim3((n - 1) / BN + 1, (m - 1) / BM + 1), TH>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
