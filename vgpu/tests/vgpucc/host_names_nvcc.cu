// Variables of the device, used by host code as if they were its own: what is written is told at the next launch.
// only: nvcc
#include <cstdio>

__device__ int counter;
__constant__ float factors[4] = {1, 2, 3, 4};
__device__ int untouched = 3;
__managed__ int shared_by_both;

__global__ void count(int *out) {
    out[0] = atomicAdd(&counter, 1) + (int)factors[1] + untouched + shared_by_both;
}

int main() {
    int *out, host = 0;
    cudaMalloc(&out, sizeof host);
    shared_by_both = 10;
    cudaMemcpyToSymbol(untouched, &(host = 4), sizeof host);
    count<<<1, 1>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    counter = 5; // the host's copy
    count<<<1, 1>>>(out);
    factors[1] = 100;
    count<<<1, 1>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    printf("%s\n", cudaGetErrorName(cudaMemcpy(&host, &counter, sizeof host, cudaMemcpyDeviceToHost)));
    printf("%s\n", cudaGetErrorName(cudaMemset(&counter, 0, sizeof host)));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(&counter, &host, sizeof host, cudaMemcpyDefault)));
}
