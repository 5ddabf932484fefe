// Wrong: __syncwarp where tiles are filled by all warps.
#include "cuda_check.h"
#include "lab.h"

constexpr int W = 32, ROWS = 8;

__global__ void kernel(int m, int n, int k, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C) {
    __shared__ float tile[W][W];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int row = blockIdx.y * ROWS + warp, col = blockIdx.x * W + lane;
    float sum = 0.f;
    for (int p0 = 0; p0 < k; p0 += W) {
        for (int r = warp; r < W; r += ROWS)
            tile[r][lane] = (p0 + r < k && col < n) ? B[(p0 + r) * n + col] : 0.f;
        const float a = (row < m && p0 + lane < k) ? A[row * k + p0 + lane] : 0.f;
        __syncwarp();
#pragma unroll 8
        for (int q = 0; q < W; ++q)
            sum += __shfl_sync(~0u, a, q) * tile[q][lane];
        __syncthreads();
    }
    if (row < m && col < n)
        C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    kernel<<<dim3((n + W - 1) / W, (m + ROWS - 1) / ROWS), dim3(W, ROWS)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
