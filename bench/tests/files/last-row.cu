// Wrong: never writes C's last row.
#include "lab.h"

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    int row = blockIdx.x;
    for (int col = threadIdx.x; row < m - 1 && col < n; col += blockDim.x) {
        float sum = 0;
        for (int p = 0; p < k; ++p)
            sum += A[row * k + p] * B[p * n + col];
        C[row * n + col] = sum;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    multiply<<<m, 64>>>(m, n, k, A, B, C);
}
