// C is updated in global memory in each phase, in place of a sum in a register.
#include "cuda_check.h"
#include "lab.h"
#define TILE 32
__global__ void multiply_tiled(int width, const float *A, const float *B, float *C) {
    __shared__ float tile_A[TILE][TILE];
    __shared__ float tile_B[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    C[(size_t)row * width + col] = 0.0f;
    for (int phase = 0; phase < width / TILE; ++phase) {
        tile_A[threadIdx.y][threadIdx.x] = A[(size_t)row * width + phase * TILE + threadIdx.x];
        tile_B[threadIdx.y][threadIdx.x] = B[(size_t)(phase * TILE + threadIdx.y) * width + col];
        __syncthreads();
        for (int p = 0; p < TILE; ++p)
            C[(size_t)row * width + col] += tile_A[threadIdx.y][p] * tile_B[p][threadIdx.x];
        __syncthreads();
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)n, (void)k;
    multiply_tiled<<<dim3(m / TILE, m / TILE), dim3(TILE, TILE)>>>(m, A, B, C);
    CUDA_CHECK_LAUNCH();
}
