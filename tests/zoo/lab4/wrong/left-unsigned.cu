// What is left of k is unsigned, and never falls below zero.
#include "cuda_check.h"
#include "lab.h"

static const unsigned TILE = 16;
static const unsigned HIGHEST = 65535; // blocks of a grid along y

__host__ __device__ static inline unsigned ceil_div(unsigned a, unsigned b) {
    return (a + b - 1) / b;
}

__global__ void multiply_tiled(unsigned m, unsigned n, unsigned k, const float *A, const float *B,
                               float *C) {
    __shared__ float ta[TILE][TILE];
    __shared__ float tb[TILE][TILE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned i = blockIdx.y * TILE + y, j = blockIdx.x * TILE + x;

    const float *pa = A + (size_t)i * k + x;
    const float *pb = B + (size_t)y * n + j;
    float sum = 0.0f;

    // left: columns of A and rows of B that are still to come
    for (unsigned left = k; left > 0; left -= TILE) {
        float va = 0.0f, vb = 0.0f;
        if (i < m && x < left)
            va = *pa;
        if (j < n && y < left)
            vb = *pb;
        ta[y][x] = va;
        tb[y][x] = vb;
        __syncthreads();
        for (unsigned p = 0; p < TILE; ++p)
            sum += ta[y][p] * tb[p][x];
        __syncthreads();
        pa += TILE;
        pb += (size_t)TILE * n;
    }

    if (i < m && j < n)
        C[(size_t)i * n + j] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const dim3 block(TILE, TILE);
    for (unsigned first = 0; first < (unsigned)m; first += HIGHEST * TILE) {
        const unsigned rows = min((unsigned)m - first, HIGHEST * TILE);
        const dim3 grid(ceil_div(n, TILE), ceil_div(rows, TILE));
        multiply_tiled<<<grid, block>>>(rows, n, k, A + (size_t)first * k, B,
                                        C + (size_t)first * n);
        CUDA_CHECK_LAUNCH();
    }
}
