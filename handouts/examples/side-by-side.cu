// side-by-side.cu: ranks-four.cu, but the four numbers of a thread lie side by side.

#include "ranks.cuh"

#define THREADS 32 // of a block; as many numbers are in a part
#define EACH 4     // numbers of a thread

__global__ void ranks(int count, const float *numbers, int *rank) {
    __shared__ float part[THREADS];
    int first = (blockIdx.x * THREADS + threadIdx.x) * EACH;
    float number[EACH];
    int smaller[EACH];
#pragma unroll
    for (int e = 0; e < EACH; ++e) {
        number[e] = numbers[first + e];
        smaller[e] = 0;
    }
    for (int begin = 0; begin < count; begin += THREADS) {
        part[threadIdx.x] = numbers[begin + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < THREADS; ++j) {
            float other = part[j];
#pragma unroll
            for (int e = 0; e < EACH; ++e)
                smaller[e] += other < number[e];
        }
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < EACH; ++e)
        rank[first + e] = smaller[e];
}

int main() {
    return try_ranks(ranks, 1, THREADS, THREADS * EACH);
}
