// Spoils the device for its process: reads far outside A.
#include "lab.h"

__global__ void multiply(const float *A, float *C) {
    C[threadIdx.x] = A[(1ull << 36) + threadIdx.x];
}

void matmul_device(int, int, int, const float *A, const float *, float *C) {
    multiply<<<1, 1>>>(A, C);
}
