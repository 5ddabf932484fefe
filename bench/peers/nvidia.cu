/*
 * nvidia.cu: the tiled kernel of NVIDIA's sample matrixMul, with tiles of 32, as a contender of the benchmark;
 * see README.md. The sample's own program comes along, and is never called.
 *
 * Shown as: NVIDIA's sample
 */
#define main matrixMul_main
#include "Samples/0_Introduction/matrixMul/matrixMul.cu"
#undef main

extern "C" void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int TILE = 32;
    dim3 grid(n / TILE, m / TILE), block(TILE, TILE);
    MatrixMulCUDA<TILE><<<grid, block>>>(C, (float *)A, (float *)B, k, n);
}
