// A flag between blocks that is no more than an int: the fences are there, and do not help.
// run: 1
#include <cstdio>
#include <cuda_runtime.h>

__device__ int flag, data;

__global__ void hand_over(int *out) {
    if (threadIdx.x > 0)
        return;
    if (blockIdx.x == 0) {
        data = 42;
        __threadfence();
        flag = 1;
    } else {
        while (flag == 0) {
        }
        __threadfence();
        *out = data;
    }
}

int main() {
    int *out, got;
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    hand_over<<<2, 32>>>(out);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(out);
}
