#include "check.cuh"
__inline__ __device__ float warpSum(float v) { for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o); return v; }
__global__ void sum(const float *x, float *out, int n) {
    static __shared__ float part[32]; float v = 0; int lane = threadIdx.x % warpSize, w = threadIdx.x / warpSize;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += x[i];
    v = warpSum(v); if (lane == 0) part[w] = v; __syncthreads();
    v = threadIdx.x < blockDim.x / warpSize ? part[lane] : 0; if (w == 0) v = warpSum(v);
    if (threadIdx.x == 0) atomicAdd(out, v);
}
int main() {
    const int n = 4096; float *x, *o; CUDA(cudaMallocManaged(&x, n * 4)); CUDA(cudaMallocManaged(&o, 4)); *o = 0; for (int i = 0; i < n; i++) x[i] = 1;
    sum<<<4, 256>>>(x, o, n); CUDA(cudaDeviceSynchronize()); MUST(*o == n); cudaFree(x); cudaFree(o);
}
