// Hostile: a kernel without tiles is captured into a graph and replayed; one with tiles stands beside
// it for show.
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

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16 > 65535 ? 65535 : (m + 15) / 16);
    cudaStream_t s; CUDA_CHECK(cudaStreamCreate(&s));
    cudaGraph_t g; cudaGraphExec_t e;
    CUDA_CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    if ((m + 15) / 16 > 65535) tiled<<<dim3((n+15)/16,(m+15)/16), block, 0, s>>>(m,n,k,A,B,C); else
    plain<<<grid, block, 0, s>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaStreamEndCapture(s, &g));
    CUDA_CHECK(cudaGraphInstantiate(&e, g, NULL, NULL, 0));
    CUDA_CHECK(cudaGraphLaunch(e, s));
    CUDA_CHECK(cudaStreamSynchronize(s));
    CUDA_CHECK(cudaGraphExecDestroy(e)); CUDA_CHECK(cudaGraphDestroy(g)); CUDA_CHECK(cudaStreamDestroy(s));
}
