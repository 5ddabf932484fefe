#include <cstdio>
__global__ void halves(int *out) {
    out[threadIdx.x / 2] = threadIdx.x;
}
int main() {
    int *d;
    cudaMalloc(&d, 64);
    halves<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
}
