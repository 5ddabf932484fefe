// One piece of memory for all three matrices: the pointer to it moves on as each takes its part,
// and is freed where it is then.
#include "cuda_check.h"
#include "lab.h"

enum { W = 32, H = 8, GRID_Y = 65535 };

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    const int col = blockIdx.x * W + threadIdx.x;
    const int row = blockIdx.y * H + threadIdx.y;
    if (col >= n || row >= m)
        return;

    const float *a = A + (size_t)row * k;
    const float *b = B + col;
    float sum = 0.0f;
    for (int left = k; left > 0; --left) {
        sum += *a * *b;
        a += 1;
        b += n;
    }
    C[(size_t)row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    while (m > 0) {
        int rows = min(m, GRID_Y * H);
        multiply<<<dim3((n + W - 1) / W, (rows + H - 1) / H), dim3(W, H)>>>(rows, n, k, A, B, C);
        CUDA_CHECK_LAUNCH();
        A += (size_t)rows * k;
        C += (size_t)rows * n;
        m -= rows;
    }
}

// Takes `count` floats from the front of what is left.
static float *take(float *&rest, size_t count) {
    float *mine = rest;
    rest += count;
    return mine;
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    const size_t nA = (size_t)m * k;
    const size_t nB = (size_t)k * n;
    const size_t nC = (size_t)m * n;

    float *memory;
    CUDA_CHECK(cudaMalloc((void **)&memory, (nA + nB + nC) * sizeof(float)));
    float *dA = take(memory, nA);
    float *dB = take(memory, nB);
    float *dC = take(memory, nC);

    CUDA_CHECK(cudaMemcpy(dA, A, nA * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dB, B, nB * sizeof(float), cudaMemcpyHostToDevice));
    matmul_device(m, n, k, dA, dB, dC);
    CUDA_CHECK(cudaMemcpy(C, dC, nC * sizeof(float), cudaMemcpyDeviceToHost));

    CUDA_CHECK(cudaFree(memory)); // one allocation, one cudaFree
}
