// float4 loads of B without looking at n: misaligned addresses, and three elements past the end.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

__global__ void tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 64 + 4 * threadIdx.x;
    if (row >= m || col >= n)
        return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int p = 0; p < k; p++) {
        float a = A[row * k + p];
        float4 b = *(const float4 *)&B[p * n + col];
        sum.x += a * b.x;
        sum.y += a * b.y;
        sum.z += a * b.z;
        sum.w += a * b.w;
    }
    *(float4 *)&C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    tiled<<<dim3((n + 63) / 64, (m + 15) / 16), dim3(16, 16)>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
