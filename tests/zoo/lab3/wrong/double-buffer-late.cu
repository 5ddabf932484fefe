// Wrong: The barrier stands before the last phase only... it is skipped in the first one.
#include "cuda_check.h"
#include "lab.h"
#define T 16
__global__ void mm(int n, const float *A, const float *B, float *C) {
    __shared__ float a[2][T][T], b[2][T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, now = 0;
    float sum = 0;
    a[0][y][x] = A[row * n + x];
    b[0][y][x] = B[y * n + col];
    for (int p = T; p <= n; p += T, now ^= 1) {
        if (p > T)
            __syncthreads();
        if (p < n) {
            a[now ^ 1][y][x] = A[row * n + p + x];
            b[now ^ 1][y][x] = B[(p + y) * n + col];
        }
#pragma unroll
        for (int q = 0; q < T; q++)
            sum += a[now][y][q] * b[now][q][x];
    }
    C[row * n + col] = sum;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3(n / T, m / T), dim3(T, T)>>>(n, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
