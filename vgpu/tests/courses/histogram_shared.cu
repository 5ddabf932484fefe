#include "check.cuh"
__global__ void hist(const unsigned char *x, unsigned *h, int n) {
    __shared__ unsigned s[256]; for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = 0; __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[x[i]], 1u);
    __syncthreads(); for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&h[i], s[i]);
}
int main() {
    const int n = 20000; unsigned char *hx = new unsigned char[n], *x; unsigned want[256] = {}, got[256], *h; srand(1);
    for (int i = 0; i < n; i++) want[hx[i] = rand() % 256]++;
    CUDA(cudaMalloc(&x, n)); CUDA(cudaMalloc(&h, sizeof got)); CUDA(cudaMemset(h, 0, sizeof got)); CUDA(cudaMemcpy(x, hx, n, cudaMemcpyHostToDevice));
    hist<<<8, 192>>>(x, h, n); CUDA(cudaMemcpy(got, h, sizeof got, cudaMemcpyDeviceToHost)); for (int i = 0; i < 256; i++) MUST(got[i] == want[i]);
    cudaFree(x); cudaFree(h); delete[] hx;
}
