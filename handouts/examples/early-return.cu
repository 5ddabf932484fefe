// early-return.cu: ranks-any.cu, but threads without a number leave at once, and copy nothing.

#include "ranks.cuh"

#define PART 64

__global__ void ranks(int count, const float *numbers, int *rank) {
    __shared__ float part[PART];
    int mine = blockIdx.x * PART + threadIdx.x;
    if (mine >= count)
        return; // who copies this thread's numbers now?
    float number = numbers[mine];
    int smaller = 0;
    for (int begin = 0; begin < count; begin += PART) {
        int i = begin + threadIdx.x;
        part[threadIdx.x] = i < count ? numbers[i] : INFINITY;
        __syncthreads();
        for (int j = 0; j < PART; ++j)
            smaller += part[j] < number;
        __syncthreads();
    }
    rank[mine] = smaller;
}

int main() {
    return try_ranks(ranks, 2, PART, 100);
}
