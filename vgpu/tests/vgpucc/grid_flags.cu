// A barrier between blocks written by hand, of atomics and a spinning thread: works where all blocks run at once.
#include <cstdio>

__device__ unsigned arrived;

__global__ void rounds(int *values, int count) {
    for (int r = 0; r < count; ++r) {
        const int left = values[r * gridDim.x + (blockIdx.x + gridDim.x - 1) % gridDim.x];
        if (threadIdx.x == 0)
            values[(r + 1) * gridDim.x + blockIdx.x] = left + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(&arrived, 1);
            while (atomicAdd(&arrived, 0) < gridDim.x * (r + 1))
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

int main() {
    int blocks = 7, count = 5, *values;
    cudaMallocManaged(&values, (count + 1) * blocks * sizeof(int));
    for (int i = 0; i < blocks; ++i)
        values[i] = i;
    void *args[] = {&values, &count};
    printf("%s\n", cudaGetErrorString(cudaLaunchCooperativeKernel((void *)rounds, blocks, 64, args)));
    printf("%s:", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < blocks; ++i)
        printf(" %d", values[count * blocks + i]);
    printf("\n");
}
