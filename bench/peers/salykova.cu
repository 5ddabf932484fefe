/*
 * salykova.cu: sgemm.cu's kernel with tiles of 128 x 256, as a contender of the benchmark; see README.md.
 *
 * Its own sgemm() takes another kernel up to m = n = 2500, whose products were wrong on an H200.
 * Its headers ask for GPUCC, the compute capability that its own build passes.
 *
 * Shown as: sgemm.cu
 */
#ifndef GPUCC
#define GPUCC 90
#endif
#include <cuda_runtime.h>
#include <src/sgemm.cuh>

extern "C" void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 grid(div_ceil(n, 256), div_ceil(m, 128));
    sgemm_128x256x8<<<grid, 256>>>(m, n, k, 1.0f, (float *)A, k, (float *)B, n, 0.0f, C, n);
}
