// B's tile in shared memory; A goes from lane to lane by shuffles. Lane l holds column l of its
// warp's rows of A.
#include "cuda_check.h"
#include "lab.h"
constexpr int ROWS = 16, WARPS = 8, COLS = 128;
__global__ void __launch_bounds__(WARPS * 32)
    mm(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float b[32][COLS];
    const int warp = threadIdx.y, lane = threadIdx.x, r0 = (blockIdx.y * WARPS + warp) * ROWS,
              c0 = blockIdx.x * COLS;
    float acc[ROWS][4] = {};
    for (int p0 = 0; p0 < k; p0 += 32) {
        for (int p = warp; p < 32; p += WARPS)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                b[p][lane + 32 * j] = p0 + p < k && c0 + lane + 32 * j < n
                                          ? B[(size_t)(p0 + p) * n + c0 + lane + 32 * j]
                                          : 0.f;
        float a[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; ++i)
            a[i] = r0 + i < m && p0 + lane < k ? A[(size_t)(r0 + i) * k + p0 + lane] : 0.f;
        __syncthreads();
#pragma unroll 4
        for (int p = 0; p < 32; ++p) {
            float v[4];
#pragma unroll
            for (int j = 0; j < 4; ++j)
                v[j] = b[p][lane + 32 * j];
#pragma unroll
            for (int i = 0; i < ROWS; ++i) {
                const float x = __shfl_sync(~0u, a[i], p);
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += x * v[j];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (r0 + i < m && c0 + lane + 32 * j < n)
                C[(size_t)(r0 + i) * n + c0 + lane + 32 * j] = acc[i][j];
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3((n + COLS - 1) / COLS, (m + ROWS * WARPS - 1) / (ROWS * WARPS)), dim3(32, WARPS)>>>(
        m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
