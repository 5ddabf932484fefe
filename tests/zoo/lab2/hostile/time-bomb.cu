// Right for three calls of a process; from the fourth on, one element is off by one.
#include "cuda_check.h"
#include "lab.h"
static int calls;
__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C, float off) {
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i < m && j < n) {
        float s = i == m / 2 && j == n / 2 ? off : 0.0f;
        for (int p = 0; p < k; p++) s += A[i * k + p] * B[p * n + j];
        C[i * n + j] = s;
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(m, n, k, A, B, C, ++calls > 3 ? 1.0f : 0.0f);
    CUDA_CHECK_LAUNCH();
}
void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *d;
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof(float) * (m * k + k * n + m * n)));
    CUDA_CHECK(cudaMemcpy(d, A, sizeof(float) * m * k, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d + m * k, B, sizeof(float) * k * n, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, d, d + m * k, d + m * k + k * n);
    CUDA_CHECK(cudaMemcpy(C, d + m * k + k * n, sizeof(float) * m * n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
}
