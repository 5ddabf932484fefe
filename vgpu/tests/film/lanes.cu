// lanes.cu: lanes of one access in two arrays; a variable too large to show; one that is not set.
#include <cuda_runtime.h>
__device__ int half_of(int a) {
    return a / 2;
}
__global__ void lanes(float *a, float *b) {
    __shared__ float s[32], u[32];
    float large[1100];
    int t = threadIdx.x, unset;
    s[t] = 1.0f;
    u[t] = 2.0f;
    __syncthreads();
    float *from = t % 2 ? s : u;
    float *to = t < 16 ? a : b;
    to[t] = from[t];
    large[t] = from[31 - t];
    int half = half_of(t);
    unset = half;
    to[t] = (float)unset + large[t];
}
int main() {
    float *a, *b;
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMemset(a, 0, 128);
    cudaMemset(b, 0, 128);
    lanes<<<1, 32>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return 0;
}
