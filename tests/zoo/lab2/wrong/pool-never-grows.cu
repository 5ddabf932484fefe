// Wrong: Buffers kept between calls, which the second, larger call does not enlarge.
#include "cuda_check.h"
#include "lab.h"

struct Pool {
    float *p = nullptr;
    size_t have = 0;
    float *need(size_t n) {
        if (!p) {
            CUDA_CHECK(cudaFree(p));
            CUDA_CHECK(cudaMalloc(&p, n * sizeof(float)));
            have = n;
        }
        return p;
    }
    ~Pool() {
        if (p)
            cudaFree(p);
    }
};

__global__ void product(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < m; row += blockDim.y * gridDim.y)
        for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < n; col += blockDim.x * gridDim.x) {
            float sum = 0;
            for (int p = 0; p < k; ++p)
                sum += A[row * k + p] * B[p * n + col];
            C[row * n + col] = sum;
        }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    product<<<dim3(2, 3), dim3(32, 8)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    static Pool a, b, c;
    float *dA = a.need((size_t)m * k), *dB = b.need((size_t)k * n), *dC = c.need((size_t)m * n);
    CUDA_CHECK(cudaMemcpy(dA, A, sizeof(float) * m * k, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dB, B, sizeof(float) * k * n, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, dA, dB, dC);
    CUDA_CHECK(cudaMemcpy(C, dC, sizeof(float) * m * n, cudaMemcpyDeviceToHost));
}
