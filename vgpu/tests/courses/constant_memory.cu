#include "check.cuh"
__constant__ float coeff[5];
__constant__ struct { int a; float b; } cfg = {3, 0.5f};
__global__ void poly(const float *x, float *y, int n) { int i = threadIdx.x; if (i < n) { float r = 0; for (int k = 4; k >= 0; k--) r = r * x[i] + coeff[k]; y[i] = r * cfg.b + cfg.a; } }
int main() { float c[5] = {1, 2, 3, 4, 5}, *x, *y; CUDA(cudaMemcpyToSymbol(coeff, c, sizeof c)); CUDA(cudaMallocManaged(&x, 40)); CUDA(cudaMallocManaged(&y, 40)); for (int i = 0; i < 10; i++) x[i] = i; poly<<<1, 32>>>(x, y, 10); CUDA(cudaDeviceSynchronize()); MUST(y[0] == 3.5f && y[1] == 10.5f && y[2] == 129 * 0.5f + 3); float back[5]; CUDA(cudaMemcpyFromSymbol(back, coeff, sizeof back)); MUST(back[4] == 5); cudaFree(x); cudaFree(y); }
