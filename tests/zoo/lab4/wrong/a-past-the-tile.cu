// Right, but A never goes through shared memory: a warp's threads all read the same element of it.
#include "cuda_check.h"
#include "lab.h"
#define SIDE 32
__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float tile[SIDE][SIDE];
    int row = blockIdx.y * SIDE + threadIdx.y, col = blockIdx.x * SIDE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < k; first += SIDE) {
        int terms = k - first < SIDE ? k - first : SIDE;
        if ((int)threadIdx.y < terms && col < n)
            tile[threadIdx.y][threadIdx.x] = B[(size_t)(first + threadIdx.y) * n + col];
        __syncthreads();
        if (row < m && col < n)
            for (int p = 0; p < terms; ++p)
                sum += A[(size_t)row * k + first + p] * tile[p][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n)
        C[(size_t)row * n + col] = sum;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int most = 65535 * SIDE;
    for (int top = 0; top < m; top += most) {
        int rows = m - top < most ? m - top : most;
        dim3 grid((n + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
        multiply<<<grid, dim3(SIDE, SIDE)>>>(rows, n, k, A + (size_t)top * k, B,
                                             C + (size_t)top * n);
        CUDA_CHECK_LAUNCH();
    }
}
