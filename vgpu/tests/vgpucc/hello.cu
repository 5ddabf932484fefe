// Threads say who they are: one block, so that the order is the executor's own.
#include <stdio.h>

__global__ void hello(void) {
    printf("hello from thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

int main(void) {
    hello<<<1, 4>>>();
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    return 0;
}
