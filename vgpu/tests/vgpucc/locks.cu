// Spin locks and flags: lanes of one warp that wait for each other, which hardware lets go on (from sm_70),
// and no race where a lock and fences order what is done; the same without the fence, and beside the lock.
#include <cstdio>

__device__ int lock, ready, turn;

__device__ void acquire(int *l) {
    while (atomicCAS(l, 0, 1) != 0) {
    }
    __threadfence();
}
__device__ void release(int *l) {
    __threadfence();
    atomicExch(l, 0);
}

__global__ void count(int *c) {
    acquire(&lock);
    *c = *c + 1;
    release(&lock);
}

// A lock in shared memory; with lanes that work longer than others inside.
__global__ void count_shared(int *c) {
    __shared__ int mutex, sum;
    if (threadIdx.x == 0) mutex = sum = 0;
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicExch(&mutex, 1) == 0) {
            __threadfence_block();
            for (int i = 0; i <= (int)threadIdx.x % 3; ++i) sum += 1;
            __threadfence_block();
            atomicExch(&mutex, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) c[1 + blockIdx.x] = sum;
}

// Threads take turns: the last lane first.
__global__ void in_turn(int *order) {
    const int me = blockDim.x - 1 - threadIdx.x;
    while (atomicAdd(&turn, 0) != me) {
    }
    order[me] = threadIdx.x;
    __threadfence();
    atomicAdd(&turn, 1);
}

__global__ void without_fence(int *c) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    *c = *c + 1;
    atomicExch(&lock, 0);
}

__global__ void beside_the_lock(int *c) {
    acquire(&lock);
    *c = *c + 1;
    release(&lock);
    c[1] = *c;
}

int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    count<<<3, 64>>>(d);
    count_shared<<<2, 96>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[1], h[2]);
    in_turn<<<1, 40>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %s\n", h[0], h[1], h[39], cudaGetErrorName(cudaGetLastError()));
    cudaMemset(d, 0, sizeof h);
    without_fence<<<1, 2>>>(d);
    beside_the_lock<<<1, 33>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
