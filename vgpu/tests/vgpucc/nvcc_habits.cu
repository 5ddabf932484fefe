// What programs take for granted since nvcc gives it: the guards of the toolkit's headers (NVIDIA's
// helper_cuda.h asks for them), and what cuda_runtime.h brings along. This file includes nothing else.
// flags: -w -std=c++17
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__) || \
    !defined(__VECTOR_TYPES_H__) || !defined(__VECTOR_FUNCTIONS_H__) || !defined(__HOST_DEFINES_H__)
#error "a guard is missing"
#endif
#include <cublas_v2.h>
#include <cuda_fp16.h>
#if !defined(CUBLAS_API_H_) || !defined(CUBLAS_V2_H_) || !defined(__CUDA_FP16_H__)
#error "a guard is missing"
#endif

extern "C" int puts(const char *);

__global__ void fill(int *x, int n) {
    register int i = threadIdx.x; // an error in clang's C++17, a warning in nvcc's
    if (i < n)
        x[i] = INT_MAX - i;
}

int main(int argc, char **) {
    const double half = 0.5 * argc;
    const float narrow[] = {half, 2 * half}; // an error in clang's C++17, a warning in nvcc's
    int *d, h[4] = {0};
    cudaMalloc(&d, sizeof h);
    fill<<<1, 32>>>(d, std::max(3, 4));
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    std::swap(h[0], h[1]);
    std::pair<int, unsigned> p(h[0], UINT_MAX);
    const bool good = p.first == INT_MAX - 1 && h[1] == std::numeric_limits<int>::max() &&
                      std::is_same<decltype(p.second), unsigned>::value && isdigit('7') && abs(-2) == 2 &&
                      std::min(2.0, 3.0) == 2.0 && narrow[1] == 2 * narrow[0] && strlen("abc") == 3;
    puts(good ? "good" : "bad");
    return 0;
}
