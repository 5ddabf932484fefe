// Barriers that not all threads reach in the same way.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
#include <stdio.h>
#include <stdlib.h>

__global__ void two_places(float *x) {
    if (threadIdx.x < 32) {
        x[threadIdx.x] = 1;
        __syncthreads();
    } else {
        x[threadIdx.x] = 2;
        __syncthreads();
    }
}

__global__ void returned(float *x, int n) {
    if (threadIdx.x >= n)
        return;
    x[threadIdx.x] = 1;
    __syncthreads();
    x[64 + threadIdx.x] = x[n - 1 - threadIdx.x];
}

__global__ void never(float *x) {
    if (threadIdx.x < 32)
        __syncthreads();
    else if (threadIdx.x < 48)
        asm volatile("bar.sync 1, 64;" ::: "memory");
}

__global__ void never_ends(float *x) {
    while (*(volatile float *)x == 0) {
    }
}

__global__ void whole_blocks_return(float *x) {
    if (blockIdx.x > 0)
        return;
    x[threadIdx.x] = 1;
    __syncthreads();
}

int main(int argc, char **argv) {
    float *x;
    cudaMalloc(&x, 512);
    cudaMemset(x, 0, 512);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: two_places<<<1, 64>>>(x); break;
    case 2: returned<<<1, 64>>>(x, 40); break;
    case 3: never<<<1, 64>>>(x); break;
    case 4: whole_blocks_return<<<3, 64>>>(x); break;
    case 5: never_ends<<<1, 64>>>(x); break;
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(x);
    return 0;
}
