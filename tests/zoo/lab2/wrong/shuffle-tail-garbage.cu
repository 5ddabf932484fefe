// Wrong: A row of A handed round by shuffles: the tail is loaded without asking how long the row
// is.
#include "cuda_check.h"
#include "lab.h"

template <class T> struct View {
    T *data;
    int rows, cols;
    __host__ __device__ T &operator()(int i, int j) const { return data[(size_t)i * cols + j]; }
    __host__ __device__ bool has(int i, int j) const { return i < rows && j < cols; }
};

__global__ void by_shuffles(View<const float> A, View<const float> B, View<float> C) {
    const int lane = threadIdx.x, col = blockIdx.x * 32 + lane, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int p = 0; p < A.cols; p += 32) {
        const float mine = A(row, p + lane);
        const int most = min(32, A.cols - p);
        for (int q = 0; q < most; ++q) {
            const float a = __shfl_sync(0xffffffffu, mine, q);
            if (col < C.cols)
                sum += a * B(p + q, col);
        }
    }
    if (C.has(row, col))
        C(row, col) = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    by_shuffles<<<dim3((n + 31) / 32, (m + 3) / 4), dim3(32, 4)>>>({A, m, k}, {B, k, n}, {C, m, n});
    CUDA_CHECK_LAUNCH();
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    auto up = [](const float *from, size_t count) {
        float *to = nullptr;
        CUDA_CHECK(cudaMalloc(&to, count * sizeof(float)));
        if (from)
            CUDA_CHECK(cudaMemcpy(to, from, count * sizeof(float), cudaMemcpyHostToDevice));
        return to;
    };
    float *a = up(A, (size_t)m * k), *b = up(B, (size_t)k * n), *c = up(nullptr, (size_t)m * n);
    matmul_device(m, n, k, a, b, c);
    CUDA_CHECK(cudaMemcpy(C, c, sizeof(float) * m * n, cudaMemcpyDeviceToHost));
    for (float *p : {a, b, c})
        CUDA_CHECK(cudaFree(p));
}
