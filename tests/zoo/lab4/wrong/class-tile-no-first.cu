// Wrong: A class owns the tile; the barrier between load and use is missing.
#include "lab.h"
#include <cuda_runtime.h>
#include <iostream>

static inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort)
            exit(code);
    }
}
#define gpuErrchk(ans)                                                                             \
    { gpuAssert((ans), __FILE__, __LINE__); }

template <int ROWS, int COLS, int PAD = 0> class Tile {
    float (*v_)[COLS + PAD];

  public:
    static constexpr int bytes = ROWS * (COLS + PAD) * sizeof(float);
    __device__ explicit Tile(void *at) : v_(reinterpret_cast<float (*)[COLS + PAD]>(at)) {}
    __device__ void load(const float *__restrict__ from, int r0, int c0, int rows, int cols) {
        const int t = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
        for (int e = t; e < ROWS * COLS; e += threads) {
            const int r = e / COLS, c = e % COLS;
            v_[r][c] = r0 + r < rows && c0 + c < cols ? __ldg(&from[(size_t)(r0 + r) * cols + c0 + c]) : 0.f;
        }
    }
    __device__ float operator()(int r, int c) const { return v_[r][c]; }
};

template <int T> __global__ void tiledGemm(int m, int n, int k, const float *A, const float *B, float *C) {
    extern __shared__ __align__(16) unsigned char raw[];
    Tile<T, T> a(raw);
    Tile<T, T> b(raw + Tile<T, T>::bytes);
    const int i = blockIdx.y * T + threadIdx.y, j = blockIdx.x * T + threadIdx.x;
    float c = 0.f;
    for (int p0 = 0; p0 < k; p0 += T) {
        a.load(A, blockIdx.y * T, p0, m, k);
        b.load(B, p0, blockIdx.x * T, k, n);
#pragma unroll
        for (int p = 0; p < T; ++p)
            c += a(threadIdx.y, p) * b(p, threadIdx.x);
        __syncthreads();
    }
    if (i < m && j < n)
        C[(size_t)i * n + j] = c;
}

extern "C" void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    constexpr int T = 24;
    tiledGemm<T><<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T), 2 * Tile<T, T>::bytes>>>(m, n, k, A, B, C);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());
}
