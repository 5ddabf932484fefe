#include "check.cuh"
__device__ int inc(int *c) { unsigned m = __activemask(); int leader = __ffs(m) - 1, lane = threadIdx.x % 32, base; if (lane == leader) base = atomicAdd(c, __popc(m)); base = __shfl_sync(m, base, leader); return base + __popc(m & ((1u << lane) - 1)); }
__global__ void filter(const int *x, int *o, int *n) { int v = x[threadIdx.x + blockIdx.x * blockDim.x]; if (v > 0) o[inc(n)] = v; }
int main() { int *x, *o, *n, s = 0; CUDA(cudaMallocManaged(&x, 1024)); CUDA(cudaMallocManaged(&o, 1024)); CUDA(cudaMallocManaged(&n, 4)); *n = 0; for (int i = 0; i < 256; i++) x[i] = i % 2 ? i : -i; filter<<<2, 128>>>(x, o, n); CUDA(cudaDeviceSynchronize()); MUST(*n == 128); for (int i = 0; i < 128; i++) s += o[i]; MUST(s == 128 * 128); cudaFree(x); cudaFree(o); cudaFree(n); }
