// Tiles of several warps: barriers, shuffles, votes and sums of their own.
// only: clang
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <int Size> __global__ void tiles(int *out) {
    __shared__ cg::block_tile_memory<1024> memory;
    __shared__ int s[1024];
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<Size>(block);
    const int t = threadIdx.x, first = t / Size * Size;
    s[t] = t;
    tile.sync();
    const int other = s[first + (t + Size / 2) % Size]; // of another warp of the tile
    const int sum = cg::reduce(tile, t - first, cg::plus<int>());
    const int shuffled = tile.shfl(t, Size - 2);
    const int any = tile.any(t == 70), all = tile.all(t != 70);
    auto warp = cg::tiled_partition<32>(tile);
    const bool here = 70 / Size == t / Size;
    out[t] = other == first + (t + Size / 2) % Size && sum == Size * (Size - 1) / 2 &&
             shuffled == first + Size - 2 && (any != 0) == here && (all != 0) == !here &&
             tile.thread_rank() == t % Size && tile.meta_group_rank() == t / Size &&
             tile.size() == Size && warp.size() == 32 && tile.meta_group_size() == blockDim.x / Size;
}

// Only one tile meets.
__global__ void one(int *out) {
    auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    __shared__ int s[256];
    if (tile.meta_group_rank() == 1) {
        s[threadIdx.x] = 1;
        tile.sync();
        out[threadIdx.x - 128] = s[383 - threadIdx.x];
    }
}

static void check(const char *what, cudaError_t error, const int *d, int n) {
    int h[1024], right = 0;
    error = error ? error : cudaMemcpy(h, d, n * sizeof *h, cudaMemcpyDeviceToHost);
    for (int i = 0; !error && i < n; i++)
        right += h[i];
    printf("%s: %s, %d of %d\n", what, cudaGetErrorName(error), right, n);
}

int main() {
    int *d;
    cudaMalloc(&d, 1024 * sizeof *d);
    tiles<64><<<1, 1024>>>(d);
    check("64 of 1024", cudaGetLastError(), d, 1024);
    tiles<128><<<1, 512>>>(d);
    check("128 of 512", cudaGetLastError(), d, 512);
    tiles<256><<<1, 256>>>(d);
    check("256 of 256", cudaGetLastError(), d, 256);
    tiles<512><<<1, 1024>>>(d);
    check("512 of 1024", cudaGetLastError(), d, 1024);
    one<<<1, 256>>>(d);
    check("one of two", cudaGetLastError(), d, 128);
    cudaFree(d);
}
