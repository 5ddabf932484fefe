// As split-k-atomics, but blocks that share a tile leave their parts in memory of their own, and a
// second kernel adds them: four blocks for each multiprocessor.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_pipeline.h>
constexpr int BK = 8, SPLITS = 6;
template <int SIDE>
__global__ void __launch_bounds__(SIDE * SIDE / 64)
    part(int m, int n, int k, const float *A, const float *B, float *C, float *parts) {
    constexpr int T = SIDE * SIDE / 64, STEP = SIDE / 8;
    __shared__ float As[2][BK][SIDE + 4], Bs[2][BK][SIDE];
    const int span = (k + BK * gridDim.z - 1) / (BK * gridDim.z) * BK;
    const int first = blockIdx.z * span, last = min(k, first + span);
    const int t = threadIdx.x, tx = t % STEP, ty = t / STEP;
    const int row0 = blockIdx.y * SIDE, col0 = blockIdx.x * SIDE;
    float acc[8][8] = {};
    auto stage = [&](int b, int p0) {
        for (int e = t; e < SIDE * BK; e += T) {
            int r = e / BK, p = e % BK;
            bool in = row0 + r < m && p0 + p < last;
            __pipeline_memcpy_async(&As[b][p][r], in ? A + (size_t)(row0 + r) * k + p0 + p : A, 4,
                                    in ? 0 : 4);
        }
        for (int e = t; e < BK * SIDE; e += T) {
            int p = e / SIDE, c = e % SIDE;
            bool in = p0 + p < last && col0 + c < n;
            __pipeline_memcpy_async(&Bs[b][p][c], in ? B + (size_t)(p0 + p) * n + col0 + c : B, 4,
                                    in ? 0 : 4);
        }
        __pipeline_commit();
    };
    stage(0, first);
    for (int p0 = first, now = 0; p0 < last; p0 += BK, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (p0 + BK < last)
            stage(now ^ 1, p0 + BK);
#pragma unroll
        for (int p = 0; p < BK; p++) {
            float a[8], b[8];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                a[i] = As[now][p][ty + STEP * i];
                b[i] = Bs[now][p][tx + STEP * i];
            }
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    acc[i][j] += a[i] * b[j];
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = row0 + ty + STEP * i, c = col0 + tx + STEP * j;
            if (r >= m || c >= n)
                continue;
            if (gridDim.z > 1)
                parts[((size_t)blockIdx.z * m + r) * n + c] = acc[i][j];
            else
                C[(size_t)r * n + c] = acc[i][j];
        }
}
__global__ void add_parts(int elements, int splits, const float *parts, float *C) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements)
        return;
    float sum = 0;
    for (int s = 0; s < splits; s++)
        sum += parts[(size_t)s * elements + e];
    C[e] = sum;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const dim3 large((n - 1) / 128 + 1, (m - 1) / 128 + 1);
    if (large.x * large.y >= 66) {
        part<128><<<large, 256>>>(m, n, k, A, B, C, nullptr);
        CUDA_CHECK_LAUNCH();
        return;
    }
    const int tiles = ((n - 1) / 64 + 1) * ((m - 1) / 64 + 1);
    int splits = 4 * 132 / tiles, most = (k - 1) / (4 * BK) + 1;
    splits = splits < 1 ? 1 : splits > most ? most : splits;
    float *parts;
    CUDA_CHECK(cudaMalloc(&parts, sizeof(float) * splits * m * n));
    part<64><<<dim3((n - 1) / 64 + 1, (m - 1) / 64 + 1, splits), 64>>>(m, n, k, A, B, C, parts);
    CUDA_CHECK_LAUNCH();
    if (splits > 1) {
        add_parts<<<(m * n - 1) / 256 + 1, 256>>>(m * n, splits, parts, C);
        CUDA_CHECK_LAUNCH();
    }
    CUDA_CHECK(cudaFree(parts));
}
