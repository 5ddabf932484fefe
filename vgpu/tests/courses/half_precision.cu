#include "check.cuh"
#include <cuda_fp16.h>
__global__ void axpy(__half a, const __half *x, __half *y, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) y[i] = __hfma(a, x[i], y[i]); }
__global__ void axpy2(half2 a, const half2 *x, half2 *y, int n) { int i = threadIdx.x; if (i < n) y[i] = __hadd2(__hmul2(a, x[i]), y[i]); }
int main() { const int n = 64; __half *x, *y; CUDA(cudaMallocManaged(&x, n * 2)); CUDA(cudaMallocManaged(&y, n * 2)); for (int i = 0; i < n; i++) x[i] = __float2half(i), y[i] = __float2half(1.0f); axpy<<<1, n>>>(__float2half(2.0f), x, y, n); axpy2<<<1, n / 2>>>(__float2half2_rn(1.0f), (half2 *)x, (half2 *)y, n / 2); CUDA(cudaDeviceSynchronize()); for (int i = 0; i < n; i++) MUST(__half2float(y[i]) == 3 * i + 1); cudaFree(x); cudaFree(y); }
