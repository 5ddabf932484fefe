#include "check.cuh"
__global__ void square(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= x[i]; }
int main() {
    const int n = 4096, S = 4, c = n / S; float *h, *d; cudaStream_t s[S]; CUDA(cudaMallocHost(&h, n * 4)); CUDA(cudaMalloc(&d, n * 4)); for (int i = 0; i < n; i++) h[i] = i % 100;
    for (int i = 0; i < S; i++) CUDA(cudaStreamCreate(&s[i]));
    for (int i = 0; i < S; i++) { int o = i * c; CUDA(cudaMemcpyAsync(d + o, h + o, c * 4, cudaMemcpyHostToDevice, s[i])); square<<<(c + 127) / 128, 128, 0, s[i]>>>(d + o, c); CUDA(cudaMemcpyAsync(h + o, d + o, c * 4, cudaMemcpyDeviceToHost, s[i])); }
    CUDA(cudaDeviceSynchronize()); for (int i = 0; i < n; i++) MUST(h[i] == (i % 100) * (i % 100));
    for (auto &t : s) CUDA(cudaStreamDestroy(t)); cudaFreeHost(h); cudaFree(d);
}
