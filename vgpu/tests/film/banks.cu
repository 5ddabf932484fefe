// A warp that writes a column of 32 words' pitch: every word lies in the same bank.
#include <cuda_runtime.h>

__global__ void turn(int *to) {
    __shared__ int tile[32][32];
    int i = threadIdx.x;
    tile[i][0] = i;
    __syncthreads();
    to[i] = tile[0][0] + i;
}

int main() {
    int *to;
    cudaMalloc(&to, 32 * sizeof(int));
    turn<<<1, 32>>>(to);
    cudaDeviceSynchronize();
    cudaFree(to);
}
