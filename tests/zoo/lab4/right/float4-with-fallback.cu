// float4 loads of B where every row is aligned (n a multiple of 4), single floats otherwise.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

#define TILE 32

__device__ float4 four(const float *B, int n, int k, int row, int col) {
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row >= k || col >= n)
        return v;
    const float *from = B + row * n + col;
    if (n % 4 == 0)
        return *(const float4 *)from;
    v.x = from[0];
    if (col + 1 < n)
        v.y = from[1];
    if (col + 2 < n)
        v.z = from[2];
    if (col + 3 < n)
        v.w = from[3];
    return v;
}

__global__ void tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ __align__(16) float As[TILE][TILE + 8]; // 8 x 4 lanes: 32 banks
    __shared__ __align__(16) float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y; // 8 x 32 threads
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + 4 * tx;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int p0 = 0; p0 < k; p0 += TILE) {
        for (int q = tx; q < TILE; q += TILE / 4)
            As[ty][q] = row < m && p0 + q < k ? A[row * k + p0 + q] : 0.0f;
        *(float4 *)&Bs[ty][4 * tx] = four(B, n, k, p0 + ty, col);
        __syncthreads();
        for (int e = 0; e < TILE; e++) {
            float a = As[ty][e];
            float4 b = *(float4 *)&Bs[e][4 * tx];
            sum[0] += a * b.x;
            sum[1] += a * b.y;
            sum[2] += a * b.z;
            sum[3] += a * b.w;
        }
        __syncthreads();
    }
    for (int q = 0; q < 4; q++)
        if (row < m && col + q < n)
            C[row * n + col + q] = sum[q];
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    tiled<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE / 4, TILE)>>>(m, n, k, A,
                                                                                        B, C);
    CUDA_CHECK(cudaGetLastError());
}
