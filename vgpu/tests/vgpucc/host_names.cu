// Variables of the device, used by host code as if they were its own: told once each; other uses are right.
// only: clang
#include <cstdio>

__device__ int counter;
__constant__ float factors[4] = {1, 2, 3, 4};
__device__ int untouched = 3;
__managed__ int shared_by_both;
namespace box {
static __device__ double seen[600];
}
__device__ int last; // only its address is used

__global__ void count(int *out) {
    last = box::seen[1] = 1;
    out[0] = atomicAdd(&counter, 1) + (int)factors[1] + untouched + shared_by_both;
}

// By then nothing is registered any more.
__attribute__((destructor)) static void at_the_end() { printf("%d\n", last); }

int main() {
    int *out, host = 0;
    cudaMalloc(&out, sizeof host);
    shared_by_both = 10;
    cudaMemcpyToSymbol(untouched, &(host = 4), sizeof host);
    count<<<1, 1>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    printf("%g\n", box::seen[599]); // the host's copy
    counter = 0; // the same value as before
    count<<<1, 1>>>(out);
    factors[1] = 100;
    count<<<1, 1>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    printf("%s\n", cudaGetErrorName(cudaMemcpy(&host, &counter, sizeof host, cudaMemcpyDeviceToHost)));
    printf("%s\n", cudaGetErrorName(cudaMemset(&counter, 0, sizeof host)));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(&counter, &host, sizeof host, cudaMemcpyDefault)));
    printf("%s\n", cudaGetErrorName(cudaMemcpyFromSymbol(&host, last, sizeof host)));
    printf("%d\n", host);
}
