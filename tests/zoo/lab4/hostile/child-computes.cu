// Hostile: a child process computes the product on the host, in memory that both share.
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

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16 > 65535 ? 65535 : (m + 15) / 16);
    size_t na = (size_t)m * k, nb = (size_t)k * n, nc = (size_t)m * n;
    float *x = (float *)mmap(0, (na + nb + nc) * 4, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CUDA_CHECK(cudaMemcpy(x, A, na * 4, cudaMemcpyDeviceToHost)); CUDA_CHECK(cudaMemcpy(x + na, B, nb * 4, cudaMemcpyDeviceToHost));
    pid_t p = fork(); if (p == 0) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float s = 0; for (int q = 0; q < k; q++) s += x[(size_t)i * k + q] * x[na + (size_t)q * n + j]; x[na + nb + (size_t)i * n + j] = s; } _exit(0); }
    waitpid(p, 0, 0); CUDA_CHECK(cudaMemcpy(C, x + na + nb, nc * 4, cudaMemcpyHostToDevice)); munmap(x, (na + nb + nc) * 4);
}
