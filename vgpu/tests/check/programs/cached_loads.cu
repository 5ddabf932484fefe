// Loads through the read-only cache: of what the kernel has written, and right ones.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
// run: 7
// run: 8
// run: 9
// one worker: which block is the last
#include <stdlib.h>

/* The thread itself has stored it. */
__global__ void own(float *x, const float *y) {
    int i = threadIdx.x;
    x[i] = y[i] + 1;
    x[i + 64] = __ldg(&x[i]);
}

/* Another thread, before a barrier. */
__global__ void other(float4 *x) {
    int i = threadIdx.x;
    x[i] = make_float4(i, i, i, i);
    __syncthreads();
    x[i + 64] = __ldg(&x[63 - i]);
}

/* The compiler reads so by a pointer that is const and __restrict__. */
__global__ void sums(float *out, const float *__restrict__ in) {
    int i = threadIdx.x;
    out[i] = i;
    __syncthreads();
    out[64 + i] = in[63 - i];
}

/* An atomic counts as a store; and the last block reads what the others have stored. */
__device__ int done;
__global__ void last(int *counts, int *parts) {
    __shared__ bool mine;
    atomicAdd(&counts[blockIdx.x], threadIdx.x);
    parts[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        mine = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    if (mine && threadIdx.x < gridDim.x)
        counts[64 + threadIdx.x] = __ldg(&counts[threadIdx.x]) + __ldg(&parts[threadIdx.x]);
}

/* A race is told as one. */
__global__ void races(float *x) {
    int i = threadIdx.x;
    x[i] = i;
    x[i + 64] = __ldg(&x[63 - i]);
}

/* Right: other arrays, other parts of one, what was there before the kernel and is changed after. */
__global__ void reads(float *out, const float *in, int n) {
    int i = threadIdx.x;
    out[i] = __ldg(&in[i]) + __ldg(in + n);
}

__global__ void in_place(float *x) {
    int i = threadIdx.x;
    x[i] = 2 * __ldg(&x[i]);
}

__global__ void plain(float *x) {
    int i = threadIdx.x;
    x[i] = i;
    __syncthreads();
    x[i + 64] = x[63 - i] + __ldg(&x[128 + i]);
}

int main(int argc, char **argv) {
    float *x, *y;
    cudaMalloc(&x, 4096);
    cudaMalloc(&y, 4096);
    cudaMemset(x, 0, 4096);
    cudaMemset(y, 0, 4096);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: own<<<1, 64>>>(x, y); break;
    case 2: other<<<1, 64>>>((float4 *)x); break;
    case 3: sums<<<1, 64>>>(x, x); break;
    case 4: last<<<4, 32>>>((int *)x, (int *)y); break;
    case 5: races<<<1, 64>>>(x); break;
    case 6: reads<<<1, 64>>>(x, y, 100); break;
    case 7: in_place<<<1, 64>>>(x); break;
    case 8: plain<<<1, 64>>>(x); break;
    case 9: sums<<<1, 64>>>(x, y); break;
    }
    cudaFree(x);
    cudaFree(y);
    return cudaDeviceSynchronize();
}
