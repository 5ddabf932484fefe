// Wrong: B is transposed, and then the kernel reads B itself by the transposed index.
#include "cuda_check.h"
#include "lab.h"

#define TILE 16

__global__ void transpose(int rows, int cols, const float *in, float *out) {
    __shared__ float tile[TILE][TILE + 1];
    int r = blockIdx.y * TILE + threadIdx.y, c = blockIdx.x * TILE + threadIdx.x;
    if (r < rows && c < cols)
        tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
    __syncthreads();
    r = blockIdx.x * TILE + threadIdx.y;
    c = blockIdx.y * TILE + threadIdx.x;
    if (r < cols && c < rows)
        out[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}

// C = A * BT^T; a row of BT is a column of B.
__global__ void multiply(int m, int n, int k, const float *A, const float *BT, float *C) {
    __shared__ float a[TILE][TILE + 1], b[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i = blockIdx.y * TILE + ty, j = blockIdx.x * TILE + tx, jr = blockIdx.x * TILE + ty;
    float sum = 0;
    for (int p = 0; p < k; p += TILE) {
        a[ty][tx] = i < m && p + tx < k ? A[i * k + p + tx] : 0;
        b[ty][tx] = jr < n && p + tx < k ? BT[jr * k + p + tx] : 0;
        __syncthreads();
        for (int q = 0; q < TILE; q++)
            sum += a[ty][q] * b[tx][q];
        __syncthreads();
    }
    if (i < m && j < n)
        C[i * n + j] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    float *BT;
    CUDA_CHECK(cudaMalloc(&BT, sizeof(float) * k * n));
    const dim3 block(TILE, TILE);
    transpose<<<dim3((n + TILE - 1) / TILE, (k + TILE - 1) / TILE), block>>>(k, n, B, BT);
    CUDA_CHECK_LAUNCH();
    multiply<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaFree(BT));
}
