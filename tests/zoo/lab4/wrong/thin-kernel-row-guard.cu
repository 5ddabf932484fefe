// Wrong: The kernel for thin shapes lets warps beyond the last row work.
#include "cuda_check.h"
#include "lab.h"
#define T 16
__global__ void by_warps(int m, int n, int k, const float *A, const float *B, float *C) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row > m)
        return;
    for (int j = 0; j < n; j++) {
        float part = 0;
        for (int p = lane; p < k; p += 32)
            part += A[row * k + p] * B[p * n + j];
        for (int step = 16; step > 0; step >>= 1)
            part += __shfl_down_sync(0xffffffff, part, step);
        if (lane == 0)
            C[row * n + j] = part;
    }
}
__global__ void by_tiles(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float a[T][T], b[T][T];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * T + y, j = blockIdx.x * T + x;
    float sum = 0;
    for (int p = 0; p < k; p += T) {
        a[y][x] = i < m && p + x < k ? A[i * k + p + x] : 0;
        b[y][x] = p + y < k && j < n ? B[(p + y) * n + j] : 0;
        __syncthreads();
        for (int q = 0; q < T; q++)
            sum += a[y][q] * b[q][x];
        __syncthreads();
    }
    if (i < m && j < n)
        C[i * n + j] = sum;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    if (n < 8)
        by_warps<<<(m + 3) / 4, dim3(32, 4)>>>(m, n, k, A, B, C);
    else
        by_tiles<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
