// Wrong: Two elements a thread: the second half of A's tile is never loaded.
#include "cuda_check.h"
#include "lab.h"
#define TILE 32
__global__ void mm(int n, const float *__restrict__ A, const float2 *__restrict__ B, float2 *__restrict__ C) {
    __shared__ float a[TILE][TILE + 1];
    __shared__ float2 b[TILE][TILE / 2];
    const int x = threadIdx.x, y = threadIdx.y; // 16 x 32 threads
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * (TILE / 2) + x;
    float2 c = make_float2(0, 0);
    for (int p = 0; p < n; p += TILE) {
        a[y][x] = A[row * n + p + x];
        b[y][x] = B[(p + y) * (n / 2) + col];
        __syncthreads();
        for (int q = 0; q < TILE; q++) {
            c.x += a[y][q] * b[q][x].x;
            c.y += a[y][q] * b[q][x].y;
        }
        __syncthreads();
    }
    C[row * (n / 2) + col] = c;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3(n / TILE, n / TILE), dim3(TILE / 2, TILE)>>>(n, A, (const float2 *)B, (float2 *)C);
    CUDA_CHECK_LAUNCH();
}
