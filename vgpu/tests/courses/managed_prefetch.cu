#include "check.cuh"
__managed__ int total;
__global__ void add(const int *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&total, x[i]); }
int main() {
    const int n = 1000; int *x; CUDA(cudaMallocManaged(&x, n * 4)); for (int i = 0; i < n; i++) x[i] = 1;
#if CUDART_VERSION >= 13000
    cudaMemLocation where = {}; where.type = cudaMemLocationTypeDevice; where.id = 0; CUDA(cudaMemPrefetchAsync(x, n * 4, where, 0, 0));
#else
    CUDA(cudaMemPrefetchAsync(x, n * 4, 0));
#endif
    add<<<(n + 99) / 100, 100>>>(x, n); CUDA(cudaDeviceSynchronize()); MUST(total == n); cudaFree(x);
}
