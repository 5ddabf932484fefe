// A tile of 16 x 16 in every thread's registers, whose factors come straight from global memory: no
// slab is in shared memory, and the threads of a block load the same elements again and again. The
// product is right.
#include "cuda_check.h"
#include "lab.h"
#define T 16
__global__ void __launch_bounds__(64) direct(int m, int n, int k, const float *A, const float *B,
                                             float *C) {
    int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
    int across = (n + 127) / 128;
    int row0 = blockIdx.x / across * 128 + ty, col0 = blockIdx.x % across * 128 + tx;
    float sum[T][T];
#pragma unroll
    for (int i = 0; i < T; i++)
#pragma unroll
        for (int j = 0; j < T; j++) sum[i][j] = 0;
    for (int p = 0; p < k; p++) {
        float a[T], b[T];
#pragma unroll
        for (int i = 0; i < T; i++) a[i] = row0 + 8 * i < m ? A[(size_t)(row0 + 8 * i) * k + p] : 0;
#pragma unroll
        for (int j = 0; j < T; j++) b[j] = col0 + 8 * j < n ? B[(size_t)p * n + col0 + 8 * j] : 0;
#pragma unroll
        for (int i = 0; i < T; i++)
#pragma unroll
            for (int j = 0; j < T; j++) sum[i][j] += a[i] * b[j];
    }
#pragma unroll
    for (int i = 0; i < T; i++)
#pragma unroll
        for (int j = 0; j < T; j++)
            if (row0 + 8 * i < m && col0 + 8 * j < n)
                C[(size_t)(row0 + 8 * i) * n + col0 + 8 * j] = sum[i][j];
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    direct<<<((m + 127) / 128) * ((n + 127) / 128), 64>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
