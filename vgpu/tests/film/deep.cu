// deep.cu: a function that calls itself.
#include <cuda_runtime.h>
__device__ int sum_to(int n) {
    if (n == 0)
        return 0;
    return n + sum_to(n - 1);
}
__global__ void deep(int *out) {
    int sum = sum_to(3 + threadIdx.x % 2);
    out[threadIdx.x] = sum;
}
int main() {
    int *out;
    cudaMalloc(&out, 128);
    deep<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
