// A classic register tile: blocks of 8 x 8 threads own 32 x 32 outputs, 4 x 4 a thread, one
// block width apart.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

#define TILE 32
#define SIDE 8
#define PER  (TILE / SIDE)

__global__ void tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    // Rows are padded so that the 32 lanes of a warp, 8 x 4 threads, store to 32 different banks.
    __shared__ float As[SIDE][TILE + 4]; // transposed: As[e][row]
    __shared__ float Bs[SIDE][TILE + 8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float sum[PER][PER] = {};
    for (int p0 = 0; p0 < k; p0 += SIDE) {
        for (int r = 0; r < PER; r++) {
            int row = row0 + ty + r * SIDE, col = col0 + tx + r * SIDE;
            As[tx][ty + r * SIDE] = row < m && p0 + tx < k ? A[row * k + p0 + tx] : 0.0f;
            Bs[ty][tx + r * SIDE] = p0 + ty < k && col < n ? B[(p0 + ty) * n + col] : 0.0f;
        }
        __syncthreads();
        for (int e = 0; e < SIDE; e++) {
            float a[PER], b[PER];
            for (int r = 0; r < PER; r++) {
                a[r] = As[e][ty + r * SIDE];
                b[r] = Bs[e][tx + r * SIDE];
            }
            for (int r = 0; r < PER; r++)
                for (int c = 0; c < PER; c++)
                    sum[r][c] += a[r] * b[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < PER; r++)
        for (int c = 0; c < PER; c++) {
            int row = row0 + ty + r * SIDE, col = col0 + tx + c * SIDE;
            if (row < m && col < n)
                C[row * n + col] = sum[r][c];
        }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    tiled<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(SIDE, SIDE)>>>(m, n, k, A, B,
                                                                                    C);
    CUDA_CHECK(cudaGetLastError());
}
