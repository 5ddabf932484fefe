// No guard: the last threads write past the end. The launch succeeds, what follows does not.
#include <stdio.h>

__global__ void twice(float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 2 * x[i];
}

int main(void) {
    float *d;
    cudaMalloc(&d, 1000 * sizeof(float));
    cudaMemset(d, 0, 1000 * sizeof(float));
    twice<<<8, 128>>>(d);
    printf("launch: %s\n", cudaGetErrorString(cudaGetLastError()));
    printf("sync: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("free: %s\n", cudaGetErrorString(cudaFree(d)));
    return 3;
}
