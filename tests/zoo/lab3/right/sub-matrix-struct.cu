// Sub-matrices as structs with a stride, passed by value, and device functions that cut, get and
// set.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

#define TILE 16

typedef struct {
    int width, height, stride;
    float *elements;
} Matrix;

__device__ float get(Matrix M, int row, int col) {
    return M.elements[row * M.stride + col];
}

__device__ void set(Matrix M, int row, int col, float value) {
    M.elements[row * M.stride + col] = value;
}

__device__ Matrix cut(Matrix M, int row, int col) {
    Matrix part;
    part.width = part.height = TILE;
    part.stride = M.stride;
    part.elements = &M.elements[M.stride * TILE * row + TILE * col];
    return part;
}

__global__ void multiply(Matrix A, Matrix B, Matrix C) {
    Matrix here = cut(C, blockIdx.y, blockIdx.x);
    int row = threadIdx.y, col = threadIdx.x;
    float value = 0;
    for (int p = 0; p < A.width / TILE; ++p) {
        __shared__ float As[TILE][TILE];
        __shared__ float Bs[TILE][TILE];
        As[row][col] = get(cut(A, blockIdx.y, p), row, col);
        Bs[row][col] = get(cut(B, p, blockIdx.x), row, col);
        __syncthreads();
        for (int e = 0; e < TILE; ++e)
            value += As[row][e] * Bs[e][col];
        __syncthreads();
    }
    set(here, row, col, value);
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    Matrix a = {k, m, k, (float *)A}, b = {n, k, n, (float *)B}, c = {n, m, n, C};
    multiply<<<dim3(n / TILE, m / TILE), dim3(TILE, TILE)>>>(a, b, c);
    CUDA_CHECK(cudaGetLastError());
}
