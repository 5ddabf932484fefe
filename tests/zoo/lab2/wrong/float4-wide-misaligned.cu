// Wrong: float4 whatever n is: rows of other lengths begin at addresses that are no multiple of
// 16.
#include "cuda_check.h"
#include "lab.h"

__global__ void narrow(int m, int n, int k, const float *A, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float s = 0;
        for (int p = 0; p < k; ++p)
            s += A[row * k + p] * B[p * n + col];
        C[row * n + col] = s;
    }
}

__global__ void wide(int m, int n4, int k, const float *A, const float4 *B, float4 *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n4) {
        float4 s = make_float4(0, 0, 0, 0);
        for (int p = 0; p < k; ++p) {
            const float a = A[row * k + p];
            const float4 b = B[p * n4 + col];
            s.x += a * b.x;
            s.y += a * b.y;
            s.z += a * b.z;
            s.w += a * b.w;
        }
        C[row * n4 + col] = s;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const dim3 block(32, 8);
    if (n >= 4)
        wide<<<dim3((n / 4 + 31) / 32, (m + 7) / 8), block>>>(m, n / 4, k, A, (const float4 *)B, (float4 *)C);
    else
        narrow<<<dim3((n + 31) / 32, (m + 7) / 8), block>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *a, *b, *c;
    CUDA_CHECK(cudaMalloc(&a, sizeof(float) * m * k));
    CUDA_CHECK(cudaMalloc(&b, sizeof(float) * k * n));
    CUDA_CHECK(cudaMalloc(&c, sizeof(float) * m * n));
    CUDA_CHECK(cudaMemcpy(a, A, sizeof(float) * m * k, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(b, B, sizeof(float) * k * n, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, a, b, c);
    CUDA_CHECK(cudaMemcpy(C, c, sizeof(float) * m * n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(c));
}
