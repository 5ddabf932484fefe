// Wrong: A phase is skipped by those threads whose own element of A is zero, each for itself.
#include "cuda_check.h"
#include "lab.h"
#define T 16
__global__ void mm(int n, const float *A, const float *B, float *C) {
    __shared__ float a[T][T], b[T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    for (int p = 0; p < n; p += T) {
        a[y][x] = A[row * n + p + x];
        b[y][x] = B[(p + y) * n + col];
        __syncthreads();
        if (a[y][x] == 0)
            continue;
        for (int q = 0; q < T; q++)
            sum += a[y][q] * b[q][x];
        if (__syncthreads_count(1) != T * T)
            __trap();
    }
    C[row * n + col] = sum;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3(n / T, n / T), dim3(T, T)>>>(n, A, B, C);
    CUDA_CHECK_LAUNCH();
}
