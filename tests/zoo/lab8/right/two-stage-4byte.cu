// __pipeline_memcpy_async of 4 bytes everywhere, with zfill; A transposed on the way; two buffers
#include "cuda_check.h"
#include "lab.h"
#include <cuda_pipeline.h>
#define BM 128
#define BN 128
#define BK 8
__global__ void __launch_bounds__(256, 2)
    k8(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float As[2][BK][BM + 4], Bs[2][BK][BN];
    int t = threadIdx.x, tx = t % 16, ty = t / 16, row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[8][8] = {0};
    auto stage = [&](int b, int p0) {
#pragma unroll
        for (int i = 0; i < BM * BK / 256; i++) {
            int e = t + i * 256, r = e / BK, p = e % BK;
            bool in = row0 + r < m && p0 + p < k;
            __pipeline_memcpy_async(&As[b][p][r], in ? &A[(size_t)(row0 + r) * k + p0 + p] : A, 4,
                                    in ? 0 : 4);
        }
#pragma unroll
        for (int i = 0; i < BK * BN / 256; i++) {
            int e = t + i * 256, p = e / BN, c = e % BN;
            bool in = p0 + p < k && col0 + c < n;
            __pipeline_memcpy_async(&Bs[b][p][c], in ? &B[(size_t)(p0 + p) * n + col0 + c] : B, 4,
                                    in ? 0 : 4);
        }
        __pipeline_commit();
    };
    stage(0, 0);
    int cur = 0;
    for (int p0 = 0; p0 < k; p0 += BK) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (p0 + BK < k)
            stage(cur ^ 1, p0 + BK);
#pragma unroll
        for (int p = 0; p < BK; p++) {
            float a[8], b[8];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                a[i] = As[cur][p][ty + 16 * i];
                b[i] = Bs[cur][p][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    acc[i][j] += a[i] * b[j];
        }
        cur ^= 1;
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = row0 + ty + 16 * i, c = col0 + tx + 16 * j;
            if (r < m && c < n)
                C[(size_t)r * n + c] = acc[i][j];
        }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    k8<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), 256>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
