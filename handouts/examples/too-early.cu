// too-early.cu: ahead.cu, but it waits for one group too few.

#include "ranks.cuh"

#include <cuda_pipeline.h>

#define PART 64

__global__ void ranks(int count, const float *numbers, int *rank) {
    __shared__ float part[2][PART];
    int x = threadIdx.x, parts = count / PART;
    float number = numbers[blockIdx.x * PART + x];
    int smaller = 0;
    __pipeline_memcpy_async(&part[0][x], &numbers[x], sizeof(float));
    __pipeline_commit();
    for (int p = 0; p < parts; ++p) {
        if (p + 1 < parts)
            __pipeline_memcpy_async(&part[(p + 1) % 2][x], &numbers[(p + 1) * PART + x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(2); // all groups but the last two have arrived
        __syncthreads();
        for (int j = 0; j < PART; ++j)
            smaller += part[p % 2][j] < number;
        __syncthreads();
    }
    rank[blockIdx.x * PART + x] = smaller;
}

int main() {
    return try_ranks(ranks, 2, PART, 2 * PART);
}
