// Cuts A down to 11 bits on the way: within float32's bound where k is large, and yet no float32 product.
#include "lab.h"

__device__ float rounded(float x) {
    return __int_as_float(__float_as_int(x) & ~0x1fff); // 13 of its 24 bits are cut off
}

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    int row = blockIdx.x;
    for (int col = threadIdx.x; row < m && col < n; col += blockDim.x) {
        float sum = 0;
        for (int p = 0; p < k; ++p)
            sum += rounded(A[row * k + p]) * B[p * n + col];
        C[row * n + col] = sum;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    multiply<<<m, 64>>>(m, n, k, A, B, C);
}
