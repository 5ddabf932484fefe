// Cooperative groups: tiles, coalesced threads, reductions, scans, and a grid whose blocks wait for each other.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <int size> __global__ void tiles(const int *in, int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<size> tile = cg::tiled_partition<size>(block);
    int sum = in[block.thread_rank()];
    for (int i = tile.size() / 2; i > 0; i /= 2)
        sum += tile.shfl_down(sum, i);
    if (tile.thread_rank() == 0)
        out[tile.meta_group_rank()] = sum;
    const int most = cg::reduce(tile, in[block.thread_rank()], cg::greater<int>());
    const int before = cg::exclusive_scan(tile, 1);
    const unsigned odd = tile.ballot(in[block.thread_rank()] % 2);
    block.sync();
    if (tile.meta_group_rank() == 1 && tile.thread_rank() == tile.size() - 1)
        out[block.size() / size] = most * 10000 + before * 100 + __popc(odd) + (tile.any(most > 0) ? 0 : 5000);
}

// One atomic for all threads that take the branch together.
__global__ void aggregated(const int *in, int *out, int *count) {
    if (in[threadIdx.x] % 3 == 0) {
        cg::coalesced_group here = cg::coalesced_threads();
        int first = 0;
        if (here.thread_rank() == 0)
            first = atomicAdd(count, here.size());
        out[here.shfl(first, 0) + here.thread_rank()] = in[threadIdx.x];
    }
}

__global__ void staged(const int *in, int *out) {
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    out[block.thread_rank()] = tile[63 - block.thread_rank()];
}

// Each step needs the whole step before it.
__global__ void steps(int *a, int *b, int n, int count) {
    cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < count; ++s) {
        for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
            b[i] = a[i] + a[(i + 1) % n];
        grid.sync();
        int *t = a;
        a = b;
        b = t;
    }
}

static cudaError_t run_steps(int blocks, int *a, int *b, int n, int count) {
    void *args[] = {&a, &b, &n, &count};
    cudaError_t error = cudaLaunchCooperativeKernel((void *)steps, blocks, 64, args);
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

int main() {
    const int n = 1000;
    int *a, *b;
    cudaMallocManaged(&a, n * sizeof(int));
    cudaMallocManaged(&b, n * sizeof(int));
    auto fill = [&] {
        for (int i = 0; i < n; ++i) {
            a[i] = i * 7 % 31;
            b[i] = 0;
        }
    };
    auto show = [&](const char *name, int count) {
        printf("%s: %s:", name, cudaGetErrorString(cudaDeviceSynchronize()));
        for (int i = 0; i < count; ++i)
            printf(" %d", b[i]);
        printf("\n");
    };
    fill();
    tiles<32><<<1, 64>>>(a, b);
    show("tiles of 32", 3);
    tiles<8><<<1, 64>>>(a, b);
    show("tiles of 8", 9);
    fill();
    b[999] = 0;
    aggregated<<<1, 64>>>(a, b, b + 999);
    show("aggregated", 22);
    staged<<<1, 64>>>(a, b);
    show("staged", 4);

    fill();
    printf("steps: %s", cudaGetErrorString(run_steps(5, a, b, n, 4)));
    int wrong = 0;
    for (int i = 0; i < n; ++i) { // binomial coefficients: 1 4 6 4 1
        auto x = [&](int k) { return (i + k) % n * 7 % 31; };
        wrong += a[i] != x(0) + 4 * x(1) + 6 * x(2) + 4 * x(3) + x(4);
    }
    printf(", wrong: %d\n", wrong);
    printf("too many blocks: %s\n", cudaGetErrorString(run_steps(100000, a, b, n, 1)));
    cudaGetLastError();
    fflush(stdout);
    steps<<<2, 64>>>(a, b, n, 1);
    printf("launched plainly: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
