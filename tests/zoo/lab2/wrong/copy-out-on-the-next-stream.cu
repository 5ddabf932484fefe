// Bands of rows in two streams; the copy of a band of C is put on the other stream than its kernel.
#include "cuda_check.h"
#include "lab.h"
#include <algorithm>
#include <cstring>
#include <vector>

__global__ void band(int rows, int n, int k, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C) {
  int c = blockIdx.x * 32 + threadIdx.x;
  for (int r = blockIdx.y * 8 + threadIdx.y; r < rows; r += gridDim.y * 8)
    if (c < n) {
      double unused = 0; (void)unused;
      float acc = 0.f;
#pragma unroll 4
      for (int p = 0; p < k; ++p) acc = __fmaf_rn(A[(size_t)r * k + p], B[(size_t)p * n + c], acc);
      C[(size_t)r * n + c] = acc;
    }
}

static void go(int rows, int n, int k, const float *A, const float *B, float *C, cudaStream_t s) {
  dim3 g((n - 1) / 32 + 1, std::min((rows - 1) / 8 + 1, 40000));
  band<<<g, dim3(32, 8), 0, s>>>(rows, n, k, A, B, C);
  CUDA_CHECK_LAUNCH();
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) { go(m, n, k, A, B, C, 0); }

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
  size_t na = (size_t)m * k, nb = (size_t)k * n, nc = (size_t)m * n;
  float *hA, *hC, *dA, *dB, *dC;
  CUDA_CHECK(cudaMallocHost(&hA, na * 4));
  CUDA_CHECK(cudaHostAlloc(&hC, nc * 4, cudaHostAllocDefault));
  CUDA_CHECK(cudaMalloc(&dA, na * 4));
  CUDA_CHECK(cudaMalloc(&dB, nb * 4));
  CUDA_CHECK(cudaMalloc(&dC, nc * 4));
  std::memcpy(hA, A, na * 4);
  std::vector<cudaStream_t> st(2);
  for (auto &s : st) CUDA_CHECK(cudaStreamCreate(&s));
  CUDA_CHECK(cudaMemcpy(dB, B, nb * 4, cudaMemcpyHostToDevice));
  int step = std::max(1, m / 4), i = 0;
  for (int r = 0; r < m; r += step, ++i) {
    cudaStream_t s = st[i & 1];
    int rows = std::min(step, m - r);
    CUDA_CHECK(cudaMemcpyAsync(dA + (size_t)r * k, hA + (size_t)r * k, (size_t)rows * k * 4, cudaMemcpyHostToDevice, s));
    go(rows, n, k, dA + (size_t)r * k, dB, dC + (size_t)r * n, s);
    CUDA_CHECK(cudaMemcpyAsync(hC + (size_t)r * n, dC + (size_t)r * n, (size_t)rows * n * 4, cudaMemcpyDeviceToHost, st[(i + 1) & 1]));
  }
  for (auto s : st) { CUDA_CHECK(cudaStreamSynchronize(s)); CUDA_CHECK(cudaStreamDestroy(s)); }
  std::memcpy(C, hC, nc * 4);
  CUDA_CHECK(cudaFree(dA)); CUDA_CHECK(cudaFree(dB)); CUDA_CHECK(cudaFree(dC));
  CUDA_CHECK(cudaFreeHost(hA)); CUDA_CHECK(cudaFreeHost(hC));
}
