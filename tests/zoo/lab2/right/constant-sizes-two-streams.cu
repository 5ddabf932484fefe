// Sizes in constant memory, four rows a thread, cudaLaunchKernel with an array of arguments, allocation in
// stream order, and two events between a non-blocking stream and the default one, one each way.
#include "cuda_check.h"
#include "lab.h"
#include <cstdio>

struct Sizes { int m, n, k; };
__constant__ Sizes sz;

template <int ROWS>
__global__ void __launch_bounds__(256) multiply(const float *A, const float *B, float *C) {
    // each thread: ROWS rows of one column (coarsening), the column of B is read once
    size_t col = blockIdx.y * blockDim.x + threadIdx.x;
    size_t row0 = (size_t)blockIdx.x * ROWS;
    if (col >= sz.n) return;
    float sum[ROWS] = {};
    for (int p = 0; p < sz.k; p++) {
        const float b = B[p * (size_t)sz.n + col];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (row0 + r < sz.m) sum[r] += A[(row0 + r) * sz.k + p] * b;
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (row0 + r < sz.m) C[(row0 + r) * sz.n + col] = sum[r];
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    constexpr int ROWS = 4;
    const Sizes s = {m, n, k};
    CUDA_CHECK(cudaMemcpyToSymbolAsync(sz, &s, sizeof s, 0, cudaMemcpyHostToDevice, 0));
    dim3 block(256), grid((m + ROWS - 1) / ROWS, (n + 255) / 256);
    void *args[] = {&A, &B, &C};
    CUDA_CHECK(cudaLaunchKernel((const void *)multiply<ROWS>, grid, block, args, 0, nullptr));
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    auto bytes = [](int r, int c) { return (size_t)r * c * sizeof(float); };
    cudaStream_t st;
    cudaEvent_t go, done;
    float *a, *b, *c, ms;
    CUDA_CHECK(cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreate(&go));
    CUDA_CHECK(cudaEventCreate(&done));
    CUDA_CHECK(cudaMallocAsync(&a, bytes(m, k), st));
    CUDA_CHECK(cudaMallocAsync(&b, bytes(k, n), st));
    CUDA_CHECK(cudaMallocAsync(&c, bytes(m, n), st));
    CUDA_CHECK(cudaMemcpyAsync(a, A, bytes(m, k), cudaMemcpyHostToDevice, st));
    CUDA_CHECK(cudaMemcpyAsync(b, B, bytes(k, n), cudaMemcpyHostToDevice, st));
    CUDA_CHECK(cudaEventRecord(go, st));
    CUDA_CHECK(cudaStreamWaitEvent(0, go, 0));
    matmul_device(m, n, k, a, b, c);
    CUDA_CHECK(cudaEventRecord(done, 0));
    CUDA_CHECK(cudaStreamWaitEvent(st, done, 0));
    CUDA_CHECK(cudaMemcpyAsync(C, c, bytes(m, n), cudaMemcpyDeviceToHost, st));
    CUDA_CHECK(cudaFreeAsync(a, st));
    CUDA_CHECK(cudaFreeAsync(b, st));
    CUDA_CHECK(cudaFreeAsync(c, st));
    CUDA_CHECK(cudaStreamSynchronize(st));
    CUDA_CHECK(cudaEventElapsedTime(&ms, go, done));
    CUDA_CHECK(cudaEventDestroy(go));
    CUDA_CHECK(cudaEventDestroy(done));
    CUDA_CHECK(cudaStreamDestroy(st));
}
