// turn.cu: turns the rows of a 32 x 32 matrix into columns, by way of shared memory.

#include "cuda_check.h"

#define SIDE 32
#define PITCH (SIDE + 1) // words from one row of the tile to the next: one is padding

__global__ void turn(const float *from, float *to) {
    __shared__ float tile[SIDE][PITCH];
    for (int row = threadIdx.y; row < SIDE; row += blockDim.y)
        tile[row][threadIdx.x] = from[row * SIDE + threadIdx.x];
    __syncthreads();
    for (int row = threadIdx.y; row < SIDE; row += blockDim.y)
        to[row * SIDE + threadIdx.x] = tile[threadIdx.x][row];
}

int main() {
    float *from, *to;
    CUDA_CHECK(cudaMalloc((void **)&from, SIDE * SIDE * sizeof *from));
    CUDA_CHECK(cudaMalloc((void **)&to, SIDE * SIDE * sizeof *to));
    CUDA_CHECK(cudaMemset(from, 0, SIDE * SIDE * sizeof *from));
    turn<<<1, dim3(SIDE, 8)>>>(from, to);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(to));
    CUDA_CHECK(cudaFree(from));
    return 0;
}
