// Wrong: An outer product for each p, added to C, which nobody cleared.
#include "cuda_check.h"
#include "lab.h"

__global__ void clear(float *C, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        C[i] = 0;
}

__global__ void add_outer(int m, int n, const float *column, int step, const float *row, float *C) {
    for (int i = blockIdx.y; i < m; i += gridDim.y)
        for (int j = threadIdx.x + blockIdx.x * blockDim.x; j < n; j += blockDim.x * gridDim.x)
            C[i * n + j] += column[i * step] * row[j];
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int p = 0; p < k; p++) {
        add_outer<<<dim3((n + 127) / 128, m), 128>>>(m, n, A + p, k, B + p * n, C);
        CUDA_CHECK_LAUNCH();
    }
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *a, *b, *c;
    CUDA_CHECK(cudaMalloc(&a, sizeof(float) * m * k));
    CUDA_CHECK(cudaMalloc(&b, sizeof(float) * k * n));
    CUDA_CHECK(cudaMalloc(&c, sizeof(float) * m * n));
    CUDA_CHECK(cudaMemcpy(a, A, sizeof(float) * m * k, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(b, B, sizeof(float) * k * n, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, a, b, c);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(C, c, sizeof(float) * m * n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(c));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(a));
}
