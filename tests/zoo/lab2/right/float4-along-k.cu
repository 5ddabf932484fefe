// A's row is read four elements at a time where k allows, the sum unrolled by four.
#include "cuda_check.h"
#include "lab.h"

__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C) {
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float s = 0.f;
    int p = 0;
    if (k % 4 == 0)
        for (; p < k; p += 4) {
            const float4 a = *(const float4 *)(A + (size_t)row * k + p);
            s += a.x * B[(p + 0) * n + col];
            s += a.y * B[(p + 1) * n + col];
            s += a.z * B[(p + 2) * n + col];
            s += a.w * B[(p + 3) * n + col];
        }
    for (; p < k; p++)
        s += A[(size_t)row * k + p] * B[p * n + col];
    C[(size_t)row * n + col] = s;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(m, n, k, A, B, C);
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
