// matmul_host has rows padded by cudaMallocPitch, and matmul_device takes them for rows without
// gaps.
#include "cuda_check.h"
#include "lab.h"

#define BLOCK_WIDTH  32
#define BLOCK_HEIGHT 8
#define MAX_GRID_HEIGHT 65535

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    int row = threadIdx.y + blockIdx.y * blockDim.y;
    int col = threadIdx.x + blockIdx.x * blockDim.x;
    if (row >= m || col >= n)
        return;

    float sum = 0.0f;
    for (int p = 0; p < k; ++p)
        sum += A[(size_t)row * k + p] * B[(size_t)p * n + col];
    C[(size_t)row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int slab = MAX_GRID_HEIGHT * BLOCK_HEIGHT;
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    for (size_t done = 0; done < (size_t)m; done += slab) {
        int rows = m - (int)done;
        if (rows > slab)
            rows = slab;
        dim3 grid((n - 1) / BLOCK_WIDTH + 1, (rows - 1) / BLOCK_HEIGHT + 1);
        multiply<<<grid, block>>>(rows, n, k, A + done * k, B, C + done * n);
        CUDA_CHECK_LAUNCH();
    }
}

struct DeviceMatrix {
    float *data;
    size_t pitch; // bytes from one row to the next
    size_t width; // bytes of a row
    size_t rows;

    DeviceMatrix(int r, int c) : width(c * sizeof(float)), rows(r) {
        CUDA_CHECK(cudaMallocPitch((void **)&data, &pitch, width, rows));
    }
    ~DeviceMatrix() {
        CUDA_CHECK(cudaFree(data));
    }

    void fill(const float *from) {
        CUDA_CHECK(cudaMemcpy2D(data, pitch, from, width, width, rows, cudaMemcpyHostToDevice));
    }
    void read(float *to) const {
        CUDA_CHECK(cudaMemcpy2D(to, width, data, pitch, width, rows, cudaMemcpyDeviceToHost));
    }
};

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    DeviceMatrix dA(m, k), dB(k, n), dC(m, n);

    dA.fill(A);
    dB.fill(B);
    matmul_device(m, n, k, dA.data, dB.data, dC.data);
    dC.read(C);
}
