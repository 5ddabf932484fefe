// one-barrier.cu: ranks.cu, without the barrier at the end of a part.

#include "ranks.cuh"

#define PART 64 // numbers in a part; a block has as many threads

__global__ void ranks(int count, const float *numbers, int *rank) {
    __shared__ float part[PART];
    int mine = blockIdx.x * PART + threadIdx.x;
    float number = numbers[mine];
    int smaller = 0;
    for (int p = 0; p < count / PART; ++p) {
        part[threadIdx.x] = numbers[p * PART + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < PART; ++j)
            smaller += part[j] < number;
        // a __syncthreads() belongs here
    }
    rank[mine] = smaller;
}

int main() {
    return try_ranks(ranks, 2, PART, 2 * PART);
}
