// Flags made of volatile variables and fences, right and wrong; and volatile where it helps nobody.
// run: chained
// run: chained-no-fence
// run: shared-flag
// run: shared-flag-no-fence
// run: last-step
// run: warp-in-step
#include <cstdio>
#include <cstring>

__device__ volatile int state[65], value[65];
__device__ int plain[65];
__device__ unsigned ticket;

// Each block waits for the one before it.
template <bool FENCE> __global__ void chained(const int *x, int *y) {
    __shared__ int s, base;
    __shared__ unsigned me;
    const int t = threadIdx.x;
    if (t == 0) {
        me = atomicAdd(&ticket, 1u);
        s = 0;
    }
    __syncthreads();
    const int v = x[me * 64 + t];
    atomicAdd(&s, v);
    __syncthreads();
    if (t == 0) {
        int p = 0;
        if (me > 0) {
            while (state[me - 1] == 0) {
            }
            if (FENCE)
                __threadfence();
            p = value[me - 1] + plain[me - 1];
        }
        value[me] = p + s;
        plain[me] = 0;
        if (FENCE)
            __threadfence();
        state[me] = 1;
        base = p;
    }
    __syncthreads();
    y[me * 64 + t] = base + v;
}

template <bool FENCE> __global__ void shared_flag(int *o) {
    __shared__ volatile int flag;
    __shared__ int data;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 42;
        if (FENCE)
            __threadfence_block();
        flag = 1;
    }
    if (threadIdx.x == 32) {
        while (flag == 0) {
        }
        if (FENCE)
            __threadfence_block();
        *o = data;
    }
}

// Written for GPUs whose warps ran in step: wrong since Volta, volatile or not.
__global__ void warp_in_step(int *o) {
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    for (int k = 16; k > 0; k /= 2)
        if (t < k)
            s[t] += s[t + k];
    if (t == 0)
        *o = s[0];
    __threadfence();
}

// The last step of it by itself: a constant index makes no flag of an array.
__global__ void last_step(int *o) {
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = t;
    if (t == 0)
        s[0] += s[1];
    __syncwarp();
    if (t == 0)
        *o = s[0];
    __threadfence();
}

int main(int, char **argv) {
    int *x, *y, last = 0;
    cudaMalloc(&x, 64 * 64 * 4), cudaMemset(x, 0, 64 * 64 * 4);
    cudaMalloc(&y, 64 * 64 * 4);
    if (strcmp(argv[1], "chained") == 0)
        chained<true><<<64, 64>>>(x, y);
    else if (strcmp(argv[1], "chained-no-fence") == 0)
        chained<false><<<64, 64>>>(x, y);
    else if (strcmp(argv[1], "shared-flag") == 0)
        shared_flag<true><<<1, 64>>>(y);
    else if (strcmp(argv[1], "shared-flag-no-fence") == 0)
        shared_flag<false><<<1, 64>>>(y);
    else if (strcmp(argv[1], "last-step") == 0)
        last_step<<<1, 32>>>(y);
    else
        warp_in_step<<<1, 32>>>(y);
    cudaMemcpy(&last, y, 4, cudaMemcpyDeviceToHost);
    printf("%d: %s\n", last, cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x), cudaFree(y);
}

// one worker: its blocks wait for each other, so that their pace decides which access is caught.
