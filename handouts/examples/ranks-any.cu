// ranks-any.cu: ranks of any count of numbers. In the last part some threads have nothing to copy.

#include "ranks.cuh"

#define PART 64

__global__ void ranks(int count, const float *numbers, int *rank) {
    __shared__ float part[PART];
    int mine = blockIdx.x * PART + threadIdx.x;
    float number = mine < count ? numbers[mine] : 0.0f;
    int smaller = 0;
    for (int begin = 0; begin < count; begin += PART) {
        int i = begin + threadIdx.x;
        part[threadIdx.x] = i < count ? numbers[i] : INFINITY; // smaller than no number
        __syncthreads();
        for (int j = 0; j < PART; ++j)
            smaller += part[j] < number;
        __syncthreads();
    }
    if (mine < count)
        rank[mine] = smaller;
}

int main() {
    return try_ranks(ranks, 2, PART, 100);
}
