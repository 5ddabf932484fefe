// A barrier of the program's own between the blocks of an ordinary launch, as many as there are
// multiprocessors: nothing promises that they run at once, but on a GPU they do.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned arrived;
__device__ volatile unsigned round_open;

__device__ void wait_for_all_blocks(unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(&arrived, 1) == round * gridDim.x - 1)
            round_open = round;
        else
            while (round_open < round) {
            }
        __threadfence();
    }
    __syncthreads();
}

// Each block adds what its neighbour has from the round before.
__global__ void pass_on(int *values, int rounds) {
    int next = (blockIdx.x + 1) % gridDim.x;
    for (int round = 1; round <= rounds; ++round) {
        int *from = values + (round - 1) % 2 * gridDim.x, *to = values + round % 2 * gridDim.x;
        if (threadIdx.x == 0)
            to[blockIdx.x] = from[blockIdx.x] + from[next];
        wait_for_all_blocks(round);
    }
}

static void run(int blocks, int rounds) {
    int *values, host[2 * 132];
    unsigned zero = 0;
    for (int i = 0; i < 2 * blocks; ++i)
        host[i] = i < blocks ? 1 : 0;
    cudaMemcpyToSymbol(arrived, &zero, sizeof zero);
    cudaMemcpyToSymbol(round_open, &zero, sizeof zero);
    cudaMalloc(&values, 2 * blocks * sizeof(int));
    cudaMemcpy(values, host, 2 * blocks * sizeof(int), cudaMemcpyHostToDevice);
    pass_on<<<blocks, 64>>>(values, rounds);
    cudaMemcpy(host, values, 2 * blocks * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < blocks; ++i)
        wrong += host[rounds % 2 * blocks + i] != 1 << rounds;
    printf("%d blocks: %d wrong, %s\n", blocks, wrong, cudaGetErrorName(cudaGetLastError()));
    cudaFree(values);
}

int main() {
    run(2, 5);
    run(16, 5);
    run(132, 3);
}
