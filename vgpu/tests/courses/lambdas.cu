#include "check.cuh"
template <class F> __global__ void each(int n, F f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) f(i); }
template <class F> void parallel_for(int n, F f) { each<<<(n + 63) / 64, 64>>>(n, f); CUDA(cudaGetLastError()); CUDA(cudaDeviceSynchronize()); }
int main() { int *x; CUDA(cudaMallocManaged(&x, 400)); int k = 3; parallel_for(100, [=] __device__(int i) { x[i] = k * i; }); parallel_for(100, [x] __host__ __device__(int i) { x[i] += 1; }); for (int i = 0; i < 100; i++) MUST(x[i] == 3 * i + 1); cudaFree(x); }
