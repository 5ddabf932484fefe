// Half of a warp waits at a barrier, and the other half at a shuffle further down: what is wrong is
// the condition around the barrier.
#include <cstdio>

__global__ void waits(float *C) {
    float x = threadIdx.x;
    if (threadIdx.x % 32 < 16)
        __syncthreads();
    x += __shfl_xor_sync(0xffffffff, x, 16);
    C[threadIdx.x] = x;
}

int main() {
    float *C;
    cudaMalloc(&C, 64 * sizeof *C);
    waits<<<1, 64>>>(C);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
