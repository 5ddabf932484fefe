// Two blocks meet at a counter and a volatile flag, and hand over no data: no fence is needed.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned arrived;
__device__ volatile unsigned round_open;

__global__ void meet(unsigned rounds) {
    for (unsigned round = 1; round <= rounds; ++round) {
        if (threadIdx.x == 0) {
            if (atomicAdd(&arrived, 1u) == gridDim.x * round - 1)
                round_open = round;
            else
                while (round_open < round) {
                }
        }
        __syncthreads();
    }
}

int main() {
    unsigned count;
    meet<<<2, 32>>>(2);
    cudaMemcpyFromSymbol(&count, arrived, sizeof count);
    printf("%u\n", count);
}
