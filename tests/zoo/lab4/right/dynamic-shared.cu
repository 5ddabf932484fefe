// Tile width chosen at run time (16 or 32), tiles in dynamic shared memory.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

extern __shared__ float scratch[];

__global__ void tiled(int t, int m, int n, int k, const float *A, const float *B, float *C) {
    float *As = scratch, *Bs = scratch + t * t;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * t + ty, col = blockIdx.x * t + tx;
    float sum = 0.0f;
    for (int p0 = 0; p0 < k; p0 += t) {
        As[ty * t + tx] = row < m && p0 + tx < k ? A[row * k + p0 + tx] : 0.0f;
        Bs[ty * t + tx] = p0 + ty < k && col < n ? B[(p0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int e = 0; e < t; e++)
            sum += As[ty * t + e] * Bs[e * t + tx];
        __syncthreads();
    }
    if (row < m && col < n)
        C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int t = m > 64 && n > 64 ? 32 : 16;
    dim3 block(t, t), grid((n + t - 1) / t, (m + t - 1) / t);
    tiled<<<grid, block, 2 * t * t * sizeof(float)>>>(t, m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
