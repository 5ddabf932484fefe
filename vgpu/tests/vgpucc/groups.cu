// Cooperative groups beyond the basics: shuffles of vectors, small types and structures, partitions by
// label and by predicate, groups of a kind known at run time, a barrier in two steps.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

struct Pair { double weight; short id; };

__global__ void shuffles(int *out) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int i = threadIdx.x;
    const uint4 v = tile.shfl_xor(make_uint4(i, i + 100, i + 200, i + 300), 1);
    const Pair p = tile.shfl(Pair{i * 0.5, (short)-i}, 3);
    const float2 f = tile.shfl_down(make_float2(i, -i), 2);
    const unsigned char c = tile.shfl_up((unsigned char)i, 1);
    out[i] = v.x + v.w * 1000;
    out[32 + i] = (int)(p.weight * 10) + 1000 * p.id;
    out[64 + i] = (int)(f.x - f.y) + 100 * c;
}

__device__ int together(const cg::thread_group &g) {
    g.sync();
    return (int)(g.size() * 100 + g.thread_rank());
}

__global__ void partitions(int *out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = threadIdx.x;
    const auto same = cg::labeled_partition(warp, i % 3);
    out[i] = (int)(same.size() * 100 + same.thread_rank());
    out[32 + i] = cg::reduce(same, i, cg::plus<int>());
    const auto odd = cg::binary_partition(warp, i & 1);
    const float4 first = odd.shfl(make_float4(i, 1, 2, 3), 0);
    out[64 + i] = together(odd) + (int)first.x * 10000;
}

__global__ void two_steps(int *out) {
    __shared__ int cell[32];
    auto block = cg::this_thread_block();
    cell[threadIdx.x] = threadIdx.x;
    auto token = block.barrier_arrive();
    const int own = threadIdx.x * 1000; // what needs nobody else
    block.barrier_wait(std::move(token));
    out[threadIdx.x] = own + cell[31 - threadIdx.x];
    cg::invoke_one(block, [&] { out[32] = (int)block.size(); });
}

/* Tiles of a tile are counted in it, also where the type no longer says of what they are a part. */
__global__ void tiles_of_tiles(int *out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto eight = cg::tiled_partition<8>(warp);
    const auto two = cg::tiled_partition<2>(eight);
    const cg::thread_block_tile<8> plain = eight;
    const int i = threadIdx.x;
    out[i] = (int)(eight.meta_group_rank() * 1000 + eight.meta_group_size() * 100 +
                   two.meta_group_rank() * 10 + two.meta_group_size());
    if (i < 32)
        out[64 + i] = (int)(plain.meta_group_rank() * 10 + warp.meta_group_size());
}

int main() {
    int *d, h[96];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    auto show = [&](const char *name) {
        cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
        printf("%s: %s\n", name, cudaGetErrorName(cudaGetLastError()));
        for (int i : {0, 1, 7, 14, 31, 32, 33, 45, 63, 64, 65, 80, 95}) printf(" %d", h[i]);
        puts("");
    };
    shuffles<<<1, 32>>>(d);
    show("shuffles");
    partitions<<<1, 32>>>(d);
    show("partitions");
    two_steps<<<1, 32>>>(d);
    show("two_steps");
    tiles_of_tiles<<<1, 64>>>(d);
    show("tiles_of_tiles");
    cudaFree(d);
    return 0;
}
