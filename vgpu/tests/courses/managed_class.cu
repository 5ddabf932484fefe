#include "check.cuh"
#include <new>
struct Managed { void *operator new(size_t n) { void *p; CUDA(cudaMallocManaged(&p, n)); CUDA(cudaDeviceSynchronize()); return p; } void operator delete(void *p) { cudaDeviceSynchronize(); cudaFree(p); } };
struct Counter : Managed { int hits = 0; __device__ __host__ void hit() {
#ifdef __CUDA_ARCH__
    atomicAdd(&hits, 1);
#else
    hits++;
#endif
} };
__global__ void k(Counter *c) { c->hit(); }
int main() { Counter *c = new Counter; c->hit(); k<<<2, 50>>>(c); CUDA(cudaDeviceSynchronize()); MUST(c->hits == 101); delete c; }
