#include "check.cuh"
template <int B> __global__ void sum(const int *x, int *out, int n) {
    __shared__ int s[B]; int t = threadIdx.x, i = blockIdx.x * B * 2 + t;
    s[t] = (i < n ? x[i] : 0) + (i + B < n ? x[i + B] : 0); __syncthreads();
    for (int o = B / 2; o > 0; o >>= 1) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
    if (t == 0) atomicAdd(out, s[0]);
}
int main() {
    const int n = 5000; int h[n], *x, *o, r = 0; for (int i = 0; i < n; i++) h[i] = i;
    CUDA(cudaMalloc(&x, sizeof h)); CUDA(cudaMalloc(&o, 4)); CUDA(cudaMemset(o, 0, 4)); CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    sum<128><<<(n + 255) / 256, 128>>>(x, o, n); CUDA(cudaMemcpy(&r, o, 4, cudaMemcpyDeviceToHost)); MUST(r == n * (n - 1) / 2);
    cudaFree(x); cudaFree(o);
}
