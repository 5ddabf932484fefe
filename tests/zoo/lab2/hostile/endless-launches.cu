// Launches kernels without end: each one is short, the time limit is for all of them.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

__global__ void nothing() {}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    for (;;) {
        nothing<<<1, 1>>>();
        CUDA_CHECK(cudaGetLastError());
    }
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
}
