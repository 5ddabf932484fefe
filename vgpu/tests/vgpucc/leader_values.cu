// What only one lane has a value for, and all get by a shuffle: right, and without a warning, as with
// nvcc. A value that a thread may use without having one is warned of.
// only: clang
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

__device__ int used;

__global__ void positions(int *out, int n) {
    int i = threadIdx.x;
    if (i % 3 != 0)
        return;
    unsigned int mask = __activemask();
    int leader = __ffs(mask) - 1, old;
    if ((i & 31) == leader)
        old = atomicAdd(&used, __popc(mask));
    old = __shfl_sync(mask, old, leader);
    out[old + __popc(mask & ((1u << (i & 31)) - 1))] = i;
}

__global__ void with_groups(int *out) {
    if (threadIdx.x % 2 == 0) {
        auto active = cg::coalesced_threads();
        int old;
        if (active.thread_rank() == 0)
            old = atomicAdd(&used, active.size());
        out[active.shfl(old, 0) + active.thread_rank()] = threadIdx.x;
    }
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    double first;
    if (tile.thread_rank() == 0)
        first = threadIdx.x;
    out[32 + threadIdx.x] = (int)tile.shfl(first, 0);
}

__global__ void kinds(float *out) {
    volatile float seen = threadIdx.x;
    short small = threadIdx.x;
    const unsigned char byte = threadIdx.x;
    half h = __float2half(threadIdx.x);
    struct {
        int part : 5;
    } bits = {(int)threadIdx.x % 8};
    float sum = __shfl_sync(~0u, seen, 3) + __shfl_xor_sync(~0u, small, 1) +
                __shfl_up_sync(~0u, byte, 1) + __half2float(__shfl_down_sync(~0u, h, 1)) +
                __shfl_sync(~0u, bits.part, 5) + __shfl_sync(~0u, 0.5, 0) +
                __shfl_sync(~0u, 7ull, 0);
    out[threadIdx.x] = sum;
}

__global__ void uncertain(float *out, int n) {
    float v;
    if (n > 3)
        v = n;
    out[threadIdx.x] = v;
}

int main() {
    int *out, h[64];
    float f[32];
    cudaMalloc(&out, sizeof h);
    cudaMemset(out, 0, sizeof h);
    positions<<<1, 32>>>(out, 32);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[1], h[10]);
    int zero = 0;
    cudaMemcpyToSymbol(used, &zero, sizeof zero);
    with_groups<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[1], h[15], h[32 + 7], h[32 + 31]);
    kinds<<<1, 32>>>((float *)out);
    cudaMemcpy(f, out, sizeof f, cudaMemcpyDeviceToHost);
    printf("%g %g\n", f[1], f[30]);
    uncertain<<<1, 32>>>((float *)out, 4);
    cudaFree(out);
}
