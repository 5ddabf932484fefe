// Wrong: An RAII array whose download forgets sizeof(T)... the other way round: it copies count *
// sizeof(T) * 2 bytes.
#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab.h"

namespace gpu {

class Error : public std::runtime_error {
  public:
    Error(cudaError_t code, const char *what, int line)
        : std::runtime_error(std::string(what) + " in line " + std::to_string(line) + ": " + cudaGetErrorString(code)) {}
};

inline void check(cudaError_t code, const char *what, int line) {
    if (code != cudaSuccess)
        throw Error(code, what, line);
}
#define TRY(...) ::gpu::check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

template <typename T> class Array {
    T *data_ = nullptr;
    std::size_t count_;

  public:
    explicit Array(std::size_t count) : count_(count) { TRY(cudaMalloc(&data_, count * sizeof(T))); }
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;
    ~Array() { cudaFree(data_); }
    void upload(const T *from) { TRY(cudaMemcpy(data_, from, count_ * sizeof(T), cudaMemcpyHostToDevice)); }
    void download(T *to) const { TRY(cudaMemcpy(to, data_, 2 * count_ * sizeof(T), cudaMemcpyDeviceToHost)); }
    T *get() { return data_; }
};

template <typename T> __global__ void gemm(int m, int n, int k, const T *a, const T *b, T *c) {
    const auto j = blockIdx.x * blockDim.x + threadIdx.x;
    const auto i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j < n) {
        T acc{};
        for (auto p = decltype(k){0}; p < k; ++p)
            acc += a[i * k + p] * b[p * n + j];
        c[i * n + j] = acc;
    }
}

static void launch(int m, int n, int k, const float *a, const float *b, float *c) {
    const dim3 threads{16, 16};
    const dim3 blocks{(n + threads.x - 1) / threads.x, (m + threads.y - 1) / threads.y};
    gemm<float><<<blocks, threads>>>(m, n, k, a, b, c);
    TRY(cudaGetLastError());
}

} // namespace gpu

extern "C" void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    try {
        gpu::launch(m, n, k, A, B, C);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "matmul_device: %s\n", e.what());
    }
}

extern "C" void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    try {
        gpu::Array<float> a(std::size_t(m) * k), b(std::size_t(k) * n), c(std::size_t(m) * n);
        a.upload(A);
        b.upload(B);
        gpu::launch(m, n, k, a.get(), b.get(), c.get());
        TRY(cudaDeviceSynchronize());
        c.download(C);
    } catch (const gpu::Error &e) {
        std::fprintf(stderr, "matmul_host: %s\n", e.what());
    }
}
