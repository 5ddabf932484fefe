#include "check.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sums(const int *x, int *o) { auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<8>(block); int v = cg::reduce(tile, x[block.thread_rank()], cg::plus<int>()); if (tile.thread_rank() == 0) o[tile.meta_group_rank()] = v; auto warp = cg::tiled_partition(block, 32); if (warp.thread_rank() == 0) o[8] = 8; }
int main() { int *x, *o; CUDA(cudaMallocManaged(&x, 256)); CUDA(cudaMallocManaged(&o, 64)); for (int i = 0; i < 64; i++) x[i] = i; sums<<<1, 32>>>(x, o); CUDA(cudaDeviceSynchronize()); for (int t = 0; t < 4; t++) MUST(o[t] == 64 * t + 28); cudaFree(x); cudaFree(o); }
