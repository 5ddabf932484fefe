// cudaFree is called with the host pointer C (TODO 10).
#include "cuda_check.h"
#include "lab.h"
#define CEIL(a, b) (((a) + (b) - 1) / (b))
// as in the text, blocks of 32 x 16
__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row > m - 1 || col > n - 1) return;
    float sum = 0.0f;
    int p = k;
    while (p-- > 0) sum += A[(size_t)row * k + p] * B[(size_t)p * n + col];
    C[(size_t)row * n + col] = sum;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    int slabs = CEIL(m, 65535 * 16);
    for (int s = 0; s < slabs; ++s) {
        size_t first = (size_t)s * 65535 * 16;
        int rows = s == slabs - 1 ? (int)(m - first) : 65535 * 16;
        multiply<<<dim3(CEIL(n, 32), CEIL(rows, 16)), dim3(32, 16)>>>(rows, n, k, A + first * k, B, C + first * n);
        CUDA_CHECK_LAUNCH();
    }
}
void matmul_host(int m, int n, int k, const float *A, const float *B, float *C)
{
    float *x = 0, *y = 0, *z = 0;
    CUDA_CHECK(cudaMalloc((void **)&x, (size_t)m * k * sizeof *x));
    CUDA_CHECK(cudaMemcpy(x, A, (size_t)m * k * sizeof *x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMalloc((void **)&y, (size_t)k * n * sizeof *y));
    CUDA_CHECK(cudaMemcpy(y, B, (size_t)k * n * sizeof *y, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMalloc((void **)&z, (size_t)m * n * sizeof *z));
    CUDA_CHECK(cudaMemset(z, 0, (size_t)m * n * sizeof *z));
    matmul_device(m, n, k, x, y, z);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaMemcpy(C, z, (size_t)m * n * sizeof *z, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(C));
}
