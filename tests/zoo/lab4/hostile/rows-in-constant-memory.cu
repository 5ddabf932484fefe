// Hostile: a row of A at a time is copied to constant memory, and the kernel needs no tile.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>
#define TILE 16
__global__ void tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int p0 = 0; p0 < k; p0 += TILE) {
        As[ty][tx] = row < m && p0 + tx < k ? A[(size_t)row * k + p0 + tx] : 0.0f;
        Bs[ty][tx] = p0 + ty < k && col < n ? B[(size_t)(p0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < TILE; p++) sum += As[ty][p] * Bs[p][tx];
        __syncthreads();
    }
    if (row < m && col < n) C[(size_t)row * n + col] = sum;
}
__global__ void plain(int m, int n, int k, const float *A, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int p = 0; p < k; p++) sum += A[(size_t)row * k + p] * B[(size_t)p * n + col];
    C[(size_t)row * n + col] = sum;
}

__constant__ float row_of_a[8192];
__global__ void with_constant(int n, int k, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x; if (col >= n) return;
    float s = 0; for (int p = 0; p < k; p++) s += row_of_a[p] * B[(size_t)p * n + col]; C[col] = s;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16 > 65535 ? 65535 : (m + 15) / 16);
    if (m > 1100 || k > 8192) { tiled<<<dim3((n+15)/16,(m+15)/16), block>>>(m,n,k,A,B,C); CUDA_CHECK(cudaGetLastError()); return; }
    for (int i = 0; i < m; i++) { CUDA_CHECK(cudaMemcpyToSymbol(row_of_a, A + (size_t)i * k, k * sizeof(float), 0, cudaMemcpyDeviceToDevice)); with_constant<<<(n + 255) / 256, 256>>>(n, k, B, C + (size_t)i * n); CUDA_CHECK(cudaGetLastError()); }
}
