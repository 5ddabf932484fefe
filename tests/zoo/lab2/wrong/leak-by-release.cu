// Wrong: A unique_ptr that is released, not reset: B stays on the device.
#include "lab.h"
#include <cstdlib>
#include <iostream>
#include <memory>
#include <type_traits>
#include <utility>

namespace {
struct Deleter {
    void operator()(void *p) const noexcept {
        if (cudaFree(p) != cudaSuccess)
            std::cerr << "cudaFree failed\n";
    }
};
template <class T> using device_ptr = std::unique_ptr<T[], Deleter>;

void require(cudaError_t e, const char *where) {
    if (e == cudaSuccess)
        return;
    std::cerr << where << ": " << cudaGetErrorName(e) << std::endl;
    std::exit(3);
}
template <class T> device_ptr<T> make_device(std::size_t n) {
    void *p{};
    require(cudaMalloc(&p, n * sizeof(T)), "make_device");
    return device_ptr<T>{static_cast<T *>(p)};
}
constexpr unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }

template <unsigned BX, unsigned BY>
__global__ __launch_bounds__(BX *BY) void sgemm(int m, int n, int k, const float *__restrict__ a,
                                                const float *__restrict__ b, float *__restrict__ c) {
    static_assert(BX % 32 == 0, "whole warps along a row");
    const unsigned i = blockIdx.y * BY + threadIdx.y, j = blockIdx.x * BX + threadIdx.x;
    if (i >= static_cast<unsigned>(m) or j >= static_cast<unsigned>(n))
        return;
    auto dot = [&](auto first) {
        for (int p = 0; p < k; ++p)
            first += a[std::size_t{i} * k + p] * b[std::size_t(p) * n + j];
        return first;
    };
    c[std::size_t{i} * n + j] = dot(0.f);
}
template <class Kernel, class... Args> void launch(Kernel kernel, dim3 grid, dim3 block, Args &&...args) {
    kernel<<<grid, block>>>(std::forward<Args>(args)...);
    require(cudaGetLastError(), "launch");
}
} // namespace

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    launch(sgemm<64, 4>, {ceil_div(n, 64), ceil_div(m, 4)}, {64, 4}, m, n, k, A, B, C);
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    auto a = make_device<float>(std::size_t(m) * k), b = make_device<float>(std::size_t(k) * n);
    auto c = make_device<float>(std::size_t(m) * n);
    require(cudaMemcpy(a.get(), A, sizeof(float) * m * k, cudaMemcpyHostToDevice), "A");
    require(cudaMemcpy(b.get(), B, sizeof(float) * k * n, cudaMemcpyHostToDevice), "B");
    matmul_device(m, n, k, a.get(), b.release(), c.get());
    require(cudaMemcpy(C, c.get(), sizeof(float) * m * n, cudaMemcpyDeviceToHost), "C");
}
