// The last block to count itself sums what all have stored: without a fence in front of its counting
// a block's sum may not be there yet. And with one, which is right.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// one worker: which block is the last
#include <stdlib.h>

__device__ unsigned int done;

__device__ float sum_of(float v) {
    __shared__ float s[128];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    float r = s[0];
    __syncthreads();
    return r;
}

template <bool fence> __global__ void total(const float *x, float *parts, float *out, int n) {
    __shared__ bool last;
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
    v = sum_of(v);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = v;
        if (fence)
            __threadfence();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        v = threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0;
        v = sum_of(v);
        if (threadIdx.x == 0) { *out = v; done = 0; }
    }
}

__global__ void total_inc(const float *x, volatile float *parts, float *out, int n) {
    __shared__ bool last;
    float v = sum_of(x[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = v;
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        v = 0;
        for (int i = 0; i < gridDim.x; i++) v += parts[i];
        *out = v;
    }
}

/* The fence is behind the counting. */
__global__ void wrong_place(const float *x, float *parts, float *out, int n) {
    __shared__ bool last;
    float v = sum_of(x[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = v;
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        v = 0;
        for (int i = 0; i < gridDim.x; i++) v += parts[i];
        *out = v;
    }
}

/* A flag is something else: who reads asks again and again. */
__global__ void flag(float *data, unsigned int *ready, float *out) {
    if (blockIdx.x == 0) {
        *data = 1;
        atomicAdd(ready, 1);
    } else {
        while (atomicAdd(ready, 0) == 0) {
        }
        *out = *data;
    }
}

int main(int argc, char **argv) {
    float *x, *parts, *out;
    const int n = 1024;
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&parts, 64 * sizeof *parts);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(x, 0, n * sizeof *x);
    cudaMemset(parts, 0, 64 * sizeof *parts);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: total<false><<<8, 128>>>(x, parts, out, n); break;
    case 2: total_inc<<<8, 128>>>(x, parts, out, n); break;
    case 3: wrong_place<<<8, 128>>>(x, parts, out, n); break;
    case 4: total<true><<<8, 128>>>(x, parts, out, n); break;
    case 5: flag<<<2, 1>>>(parts, (unsigned int *)parts + 1, out); break;
    }
    cudaFree(x), cudaFree(parts), cudaFree(out);
    return cudaDeviceSynchronize();
}
