// Matrices as structs passed by value to the kernel, with device functions to get and set
// elements.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

struct Matrix {
    int height, width, stride;
    float *elements;
};

__device__ float get(const Matrix M, int row, int col) {
    return M.elements[row * M.stride + col];
}

__device__ void set(Matrix M, int row, int col, float value) {
    M.elements[row * M.stride + col] = value;
}

__global__ void product(Matrix A, Matrix B, Matrix C) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= C.height || col >= C.width)
        return;
    float value = 0.0f;
    for (int e = 0; e < A.width; ++e)
        value += get(A, row, e) * get(B, e, col);
    set(C, row, col, value);
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    Matrix a = {m, k, k, const_cast<float *>(A)};
    Matrix b = {k, n, n, const_cast<float *>(B)};
    Matrix c = {m, n, n, C};
    dim3 block(16, 16);
    dim3 grid((c.width + block.x - 1) / block.x, (c.height + block.y - 1) / block.y);
    product<<<grid, block>>>(a, b, c);
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
