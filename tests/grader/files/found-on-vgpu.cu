// Wrong on the stand-in for a GPU, for no reason that can be known. On the virtual GPU it is right, and races.
#include "cuda_check.h"
#include "lab.h"
#include <stdlib.h>

__global__ void product(int m, int n, int k, const float *A, const float *B, float *C, float wrong) {
    __shared__ volatile float last;
    int col = 32 * blockIdx.x + threadIdx.x;
    int row = 8 * blockIdx.y + threadIdx.y;
    last = threadIdx.x;
    if (row >= m || col >= n)
        return;
    float sum = wrong * (col % 3);
    for (int p = 0; p < k; ++p)
        sum += A[(size_t)row * k + p] * B[(size_t)p * n + col];
    C[(size_t)row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(32, 8), grid((n + 31) / 32, (m + 7) / 8);
    product<<<grid, block>>>(m, n, k, A, B, C, getenv("VGPU_QUIET") ? 1.0f : 0.0f);
    CUDA_CHECK_LAUNCH();
}
