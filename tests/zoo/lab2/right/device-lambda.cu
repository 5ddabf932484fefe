// A lambda inside the kernel and a functor passed to it by value.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

struct RowMajor {
    int width;
    __host__ __device__ int operator()(int row, int col) const {
        return row * width + col;
    }
};

template <typename Layout>
__global__ void product(int m, int n, int k, Layout a, Layout b, const float *A, const float *B,
                        float *C) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    auto term = [=](int p) { return A[a(row, p)] * B[b(p, col)]; };
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int p = 0; p < k; ++p)
            sum += term(p);
        C[b(row, col)] = sum;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
    product<<<grid, block>>>(m, n, k, RowMajor{k}, RowMajor{n}, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    size_t bytes_a = (size_t)m * k * sizeof(float);
    size_t bytes_b = (size_t)k * n * sizeof(float);
    size_t bytes_c = (size_t)m * n * sizeof(float);
    float *dA, *dB, *dC;
    CUDA_CHECK(cudaMalloc((void **)&dA, bytes_a));
    CUDA_CHECK(cudaMalloc((void **)&dB, bytes_b));
    CUDA_CHECK(cudaMalloc((void **)&dC, bytes_c));
    CUDA_CHECK(cudaMemcpy(dA, A, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dB, B, bytes_b, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, dA, dB, dC);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(C, dC, bytes_c, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(dA));
    CUDA_CHECK(cudaFree(dB));
    CUDA_CHECK(cudaFree(dC));
}
