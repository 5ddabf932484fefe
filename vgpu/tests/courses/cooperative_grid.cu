#include "check.cuh"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void two(int *a, int *b) { cg::grid_group g = cg::this_grid(); int i = g.thread_rank(); a[i] = i; g.sync(); b[i] = a[g.size() - 1 - i]; }
int main() {
    int *a, *b; CUDA(cudaMallocManaged(&a, 1024)); CUDA(cudaMallocManaged(&b, 1024)); void *args[] = {&a, &b}; int ok; CUDA(cudaDeviceGetAttribute(&ok, cudaDevAttrCooperativeLaunch, 0)); MUST(ok);
    CUDA(cudaLaunchCooperativeKernel((void *)two, dim3(4), dim3(64), args)); CUDA(cudaDeviceSynchronize()); for (int i = 0; i < 256; i++) MUST(b[i] == 255 - i); cudaFree(a); cudaFree(b);
}
