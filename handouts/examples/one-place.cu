// one-place.cu: shared-sums.cu, but both blocks put their part into one place.

#include "ranks.cuh"

#define PART  64 // numbers that a block compares with; a block has as many threads
#define PARTS 2  // blocks that share a sum
#define COUNT (PART * PARTS)

__global__ void count_part(int count, const float *numbers, int *rank) {
    int part = blockIdx.x / (count / PART);
    int mine = blockIdx.x % (count / PART) * PART + threadIdx.x;
    float number = numbers[mine];
    int smaller = 0;
    for (int j = part * PART; j < (part + 1) * PART; ++j)
        smaller += numbers[j] < number;
    if (part == 0)
        rank[mine] = smaller;
    else
        rank[mine] += smaller; // nothing makes the other block the first
}

int main() {
    return try_ranks(count_part, PARTS * 2, PART, COUNT);
}
