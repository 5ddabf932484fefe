// 16 x 16 threads, 6 x 6 each: tiles of 96; k in steps of 12
#include "cuda_check.h"
#include "lab.h"
enum { N_T = 16, R = 6, TILE = N_T * R, DEPTH = 12 };
static __device__ inline float at(const float *p, int r, int c, int rows, int cols) {
    return r < rows && c < cols ? p[(long)r * cols + c] : 0.0f;
}
__global__ void mm66(const int m, const int n, const int k, const float *const A,
                     const float *const B, float *const C) {
    __shared__ float a[DEPTH][TILE + 1];
    __shared__ float b[DEPTH][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y, me = ty * N_T + tx;
    const int top = blockIdx.x * TILE, left = blockIdx.y * TILE;
    float c[R][R];
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < R; j++)
            c[i][j] = 0;
    for (int q = 0; q < k; q += DEPTH) {
        for (int e = me; e < TILE * DEPTH; e += N_T * N_T) {
            a[e % DEPTH][e / DEPTH] = at(A, top + e / DEPTH, q + e % DEPTH, m, k);
            b[e / TILE][e % TILE] = at(B, q + e / TILE, left + e % TILE, k, n);
        }
        __syncthreads();
#pragma unroll 4
        for (int p = 0; p < DEPTH; p++) {
            float x[R], y[R];
#pragma unroll
            for (int i = 0; i < R; i++) {
                x[i] = a[p][ty + N_T * i];
                y[i] = b[p][tx + N_T * i];
            }
#pragma unroll
            for (int i = 0; i < R; i++)
#pragma unroll
                for (int j = 0; j < R; j++)
                    c[i][j] = fmaf(x[i], y[j], c[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < R; j++) {
            const int r = top + ty + N_T * i, s = left + tx + N_T * j;
            if (r < m && s < n)
                C[(long)r * n + s] = c[i][j];
        }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm66<<<dim3((m + TILE - 1) / TILE, (n + TILE - 1) / TILE), dim3(N_T, N_T)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
