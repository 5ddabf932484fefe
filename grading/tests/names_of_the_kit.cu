// Makes a compiler (COMPILE) or a linker (LINK) tell of a file of the kit.
#include "lab.h"
#include <cuda_runtime.h>

#ifdef COMPILE
extern "C" int matmul_device(int m, int n, int k, const float *A, const float *B, float *C);
#endif

#ifdef LINK
cudaError_t cudaMalloc(void **at, size_t) { // the virtual GPU's own comes with cudaFree
    *at = nullptr;
    return cudaSuccess;
}
void matmul_device(int, int, int, const float *, const float *, float *C) {
    cudaFree(C);
}
void matmul_host(int, int, int, const float *, const float *, float *) {}
#endif
