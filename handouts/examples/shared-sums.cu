// shared-sums.cu: two blocks share each sum, and a second kernel adds their parts.

#include "ranks.cuh"

#define PART  64 // numbers that a block compares with; a block has as many threads
#define PARTS 2  // blocks that share a sum
#define COUNT (PART * PARTS)

__device__ int waiting[PARTS][COUNT]; // the parts of all sums

__global__ void count_part(int count, const float *numbers, int *rank) {
    int part = blockIdx.x / (count / PART);
    int mine = blockIdx.x % (count / PART) * PART + threadIdx.x;
    float number = numbers[mine];
    int smaller = 0;
    for (int j = part * PART; j < (part + 1) * PART; ++j)
        smaller += numbers[j] < number;
    waiting[part][mine] = smaller;
}

__global__ void add_parts(int count, const float *numbers, int *rank) {
    int mine = blockIdx.x * PART + threadIdx.x;
    int smaller = 0;
    for (int part = 0; part < PARTS; ++part)
        smaller += waiting[part][mine];
    rank[mine] = smaller;
}

int main() {
    return try_ranks(count_part, PARTS * 2, PART, COUNT, add_parts);
}
