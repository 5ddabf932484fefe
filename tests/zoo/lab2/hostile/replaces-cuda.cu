// Replaces cudaMemcpy and cudaDeviceSynchronize by versions that report success, and computes
// nothing.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>

extern "C" cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind) {
    return cudaSuccess;
}
extern "C" cudaError_t cudaDeviceSynchronize(void) {
    return cudaSuccess;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
}
