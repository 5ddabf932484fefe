// A kernel reads memory that was freed before: the lines that made and freed it are told.
// flags: -fno-inline
#include <cstdio>

__global__ void twice(const float *x, float *y) {
    y[threadIdx.x] = 2 * x[threadIdx.x];
}

static void give_up(float *x) {
    cudaFree(x);
}

int main() {
    float *x, *y;
    cudaMalloc(&x, 512);
    cudaMalloc(&y, 512);
    cudaMemset(x, 0, 512);
    give_up(x);
    twice<<<1, 128>>>(x, y);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
