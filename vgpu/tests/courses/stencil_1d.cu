#include "check.cuh"
#define R 3
#define B 64
__global__ void stencil(const int *in, int *out) {
    __shared__ int t[B + 2 * R]; int g = threadIdx.x + blockIdx.x * blockDim.x + R, l = threadIdx.x + R; t[l] = in[g];
    if (threadIdx.x < R) { t[l - R] = in[g - R]; t[l + B] = in[g + B]; } __syncthreads();
    int s = 0; for (int o = -R; o <= R; o++) s += t[l + o]; out[g] = s;
}
int main() {
    const int n = 8 * B; int h[n + 2 * R], r[n + 2 * R], *x, *y; for (int i = 0; i < n + 2 * R; i++) h[i] = 1;
    CUDA(cudaMalloc(&x, sizeof h)); CUDA(cudaMalloc(&y, sizeof h)); CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice)); CUDA(cudaMemcpy(y, h, sizeof h, cudaMemcpyHostToDevice));
    stencil<<<n / B, B>>>(x, y); CUDA(cudaMemcpy(r, y, sizeof r, cudaMemcpyDeviceToHost)); for (int i = R; i < n + R; i++) MUST(r[i] == 2 * R + 1); cudaFree(x); cudaFree(y);
}
