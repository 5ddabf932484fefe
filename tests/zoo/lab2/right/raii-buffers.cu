// C++ style: a class owns each device buffer and frees it in its destructor.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

__global__ void product(int m, int n, int k, const float *A, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
        sum += A[row * k + p] * B[p * n + col];
    C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(16, 16);
    dim3 grid((n + 15) / 16, (m + 15) / 16);
    product<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}

namespace {
class DeviceMatrix {
  public:
    DeviceMatrix(int rows, int cols) : bytes_(sizeof(float) * rows * cols) {
        CUDA_CHECK(cudaMalloc(&data_, bytes_));
    }
    ~DeviceMatrix() {
        CUDA_CHECK(cudaFree(data_));
    }
    DeviceMatrix(const DeviceMatrix &) = delete;
    DeviceMatrix &operator=(const DeviceMatrix &) = delete;
    void upload(const float *from) {
        CUDA_CHECK(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice));
    }
    void download(float *to) const {
        CUDA_CHECK(cudaMemcpy(to, data_, bytes_, cudaMemcpyDeviceToHost));
    }
    float *get() const {
        return data_;
    }

  private:
    float *data_ = nullptr;
    size_t bytes_;
};
} // namespace

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    DeviceMatrix a(m, k), b(k, n), c(m, n);
    a.upload(A);
    b.upload(B);
    matmul_device(m, n, k, a.get(), b.get(), c.get());
    c.download(C);
}
