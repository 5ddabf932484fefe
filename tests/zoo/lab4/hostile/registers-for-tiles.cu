// A thread computes 8 x 1 elements straight from global memory; shared memory is read for show.
#include "cuda_check.h"
#include "lab.h"
#define TILE 32
#define EACH 8
__global__ void product(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float show[TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = (int)(blockIdx.y * TILE) + y * EACH, col = (int)(blockIdx.x * TILE) + x;
    show[x] = (float)x;
    __syncthreads();
    volatile float *v = show;
    float s[EACH] = {};
    for (int p = 0; p < k; ++p) {
        float b = col < n ? B[(size_t)p * n + col] : 0.0f;
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            s[i] += (row + i < m ? A[(size_t)(row + i) * k + p] : 0.0f) * b;
        (void)v[x], (void)v[y];
    }
#pragma unroll
    for (int i = 0; i < EACH; ++i)
        if (row + i < m && col < n)
            C[(size_t)(row + i) * n + col] = s[i];
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int most = 65535 * TILE;
    for (int first = 0, rows; first < m; first += rows) {
        rows = m - first < most ? m - first : most;
        product<<<dim3((n - 1) / TILE + 1, (rows - 1) / TILE + 1), dim3(TILE, TILE / EACH)>>>(
            rows, n, k, A + (size_t)first * k, B, C + (size_t)first * n);
        CUDA_CHECK_LAUNCH();
    }
}
