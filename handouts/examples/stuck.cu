// stuck.cu: a barrier that only half of the block's threads reach.

#include "cuda_check.h"

__global__ void half(int *sum) {
    __shared__ int parts[64];
    parts[threadIdx.x] = 1;
    if (threadIdx.x % 2 == 0)
        __syncthreads(); // the other half never comes here
    __syncthreads();
    if (threadIdx.x == 0)
        *sum = parts[0] + parts[63];
}

int main() {
    int *sum;
    CUDA_CHECK(cudaMalloc((void **)&sum, sizeof *sum));
    half<<<1, 64>>>(sum);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(sum));
    return 0;
}
