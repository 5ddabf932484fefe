// too-many.cu: asks for a block of 64 x 32 = 2048 threads. No GPU has such blocks.

#include "cuda_check.h"

__global__ void nothing() {}

int main() {
    nothing<<<1, dim3(64, 32)>>>();
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}
