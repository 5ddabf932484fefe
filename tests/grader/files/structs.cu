// Matrices in structs, as the programming guide has them; C is transposed within each tile.
#include "cuda_check.h"
#include "lab.h"

#define SIDE 16

struct matrix {
    int width, stride;
    const float *elements;
};

__device__ float element_of(const matrix m, int row, int column) {
    return m.elements[row * m.stride + column];
}

__device__ matrix part_of(matrix m, int row, int column) {
    matrix part = {SIDE, m.stride, &m.elements[m.stride * SIDE * row + SIDE * column]};
    return part;
}

__global__ void multiply(matrix A, matrix B, float *C) {
    __shared__ float As[SIDE][SIDE], Bs[SIDE][SIDE];
    int row = threadIdx.y, column = threadIdx.x;
    float sum = 0;
    for (int t = 0; t < A.width / SIDE; ++t) {
        matrix a = part_of(A, blockIdx.y, t), b = part_of(B, t, blockIdx.x);
        As[row][column] = element_of(a, row, column);
        Bs[row][column] = element_of(b, row, column);
        __syncthreads();
        for (int e = 0; e < SIDE; ++e)
            sum += As[row][e] * Bs[e][column];
        __syncthreads();
    }
    C[(blockIdx.y * SIDE + column) * B.stride + blockIdx.x * SIDE + row] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    matrix a = {k, k, A}, b = {n, n, B};
    multiply<<<dim3(n / SIDE, m / SIDE), dim3(SIDE, SIDE)>>>(a, b, C);
    CUDA_CHECK_LAUNCH();
}
