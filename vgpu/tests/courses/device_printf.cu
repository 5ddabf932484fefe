#include "check.cuh"
__global__ void hello() { printf("block %d thread %d %s %.2f\n", blockIdx.x, threadIdx.x, "says", 0.25 * threadIdx.x); }
int main() { hello<<<2, 2>>>(); CUDA(cudaDeviceSynchronize()); MUST(cudaSuccess == 0); }
