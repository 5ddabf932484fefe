#include "check.cuh"
#include <vector>
__global__ void k1(int *x, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) x[i] = i; }
__global__ void k2(const int *x, int *flag, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) flag[i] = x[i] % 3 == 0; }
__global__ void k3(const int *flag, int *pos, int n) { if (threadIdx.x == 0) { int s = 0; for (int i = 0; i < n; i++) { pos[i] = s; s += flag[i]; } } }
__global__ void k4(const int *x, const int *flag, const int *pos, int *o, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n && flag[i]) o[pos[i]] = x[i]; }
int main() { const int n = 300; int *x, *f, *p, *o; CUDA(cudaMalloc(&x, n * 4)); CUDA(cudaMalloc(&f, n * 4)); CUDA(cudaMalloc(&p, n * 4)); CUDA(cudaMalloc(&o, n * 4)); k1<<<5, 64>>>(x, n); k2<<<5, 64>>>(x, f, n); k3<<<1, 1>>>(f, p, n); k4<<<5, 64>>>(x, f, p, o, n); std::vector<int> h(100); CUDA(cudaMemcpy(h.data(), o, 400, cudaMemcpyDeviceToHost)); for (int i = 0; i < 100; i++) MUST(h[i] == 3 * i); cudaFree(x); cudaFree(f); cudaFree(p); cudaFree(o); }
