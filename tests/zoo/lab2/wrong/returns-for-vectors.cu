// Wrong: An early return meant for empty matrices also catches vectors.
#include "cuda_check.h"
#include "lab.h"

__global__ void product(int m, int n, int k, const float *A, const float *B, float *C) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j < n) {
        double sum = 0.0;
        for (int p = 0; p < k; p++)
            sum += (double)A[(size_t)i * k + p] * B[(size_t)p * n + j];
        C[(size_t)i * n + j] = (float)sum;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    if (m == 0 || n == 0)
        return;
    product<<<dim3((n + 16) / 17, (m + 12) / 13), dim3(17, 13)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    if (m <= 1 || n <= 1 || k <= 1)
        return;
    float *p[3];
    const size_t s[3] = {(size_t)m * k * 4, (size_t)k * n * 4, (size_t)m * n * 4};
    for (int i = 0; i < 3; i++)
        CUDA_CHECK(cudaMalloc((void **)(p + i), s[i]));
    CUDA_CHECK(cudaMemcpy(p[0], A, s[0], cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(p[1], B, s[1], cudaMemcpyHostToDevice));
    matmul_device(m, n, k, p[0], p[1], p[2]);
    CUDA_CHECK(cudaMemcpy(C, p[2], s[2], cudaMemcpyDeviceToHost));
    for (int i = 3; i-- > 0;)
        CUDA_CHECK(cudaFree(p[i]));
}
