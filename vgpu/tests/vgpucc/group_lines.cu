// What a group's functions do inside is told at the line that calls them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>

namespace cg = cooperative_groups;

__global__ void halves(int *out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int v = 1;
    if (tile.thread_rank() < 4)
        v = cg::reduce(tile, v, cg::plus<int>()); // told
    out[threadIdx.x] = v;
}

int main(void) {
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    halves<<<1, 32>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
