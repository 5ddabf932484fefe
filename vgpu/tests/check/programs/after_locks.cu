// Kernels with locks are judged by clocks of their threads; what such a kernel's threads knew must
// not tell anything of what another kernel's threads do later.
// run: once
#include <cstdio>

__global__ void with_lock(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(lock, 0);
}

// Each word is read by one lane and, after __syncwarp(), updated by another: no race.
__global__ void in_a_warp(int *out) {
    __shared__ int words[32];
    int t = threadIdx.x;
    words[t] = t;
    __syncthreads();
    int mine = words[t];
    __syncwarp();
    atomicAdd(&words[(t + 1) % 32], mine);
    __syncthreads();
    out[t] = words[t];
}

// The same with two warps, which nothing orders: a race.
__global__ void in_two_warps(int *out) {
    __shared__ int words[64];
    int t = threadIdx.x;
    words[t] = t;
    __syncthreads();
    int mine = words[t];
    __syncwarp();
    atomicAdd(&words[(t + 32) % 64], mine);
    __syncthreads();
    out[t] = words[t];
}

int main() {
    int *lock, *sum, *out;
    cudaMalloc(&lock, sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(lock, 0, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    with_lock<<<1, 8>>>(lock, sum);
    in_a_warp<<<1, 32>>>(out);
    in_two_warps<<<1, 64>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(lock);
    cudaFree(sum);
    cudaFree(out);
    return 0;
}
