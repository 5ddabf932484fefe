// cuda::std::atomic, atomic_ref, atomic_flag: waits, and what they are made of.
#include <cstdio>
#include <cuda/std/atomic>

__global__ void hand_over(cuda::std::atomic<int> *ready, int *data) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 10 * threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            ready->store(1, cuda::std::memory_order_release);
            ready->notify_all();
        }
    } else {
        ready->wait(0, cuda::std::memory_order_acquire);
        data[32 + threadIdx.x] = data[31 - threadIdx.x] + 1;
    }
}

__global__ void one_at_a_time(cuda::std::atomic_flag *lock, int *count) {
    for (bool done = false; !done;) {
        if (lock->test_and_set(cuda::std::memory_order_acquire))
            continue;
        *count += 1;
        lock->clear(cuda::std::memory_order_release);
        done = true;
    }
}

__global__ void largest(int *most) {
    cuda::std::atomic_ref<int> all(*most);
    all.fetch_or(1 << threadIdx.x % 5);
}

int main() {
    cuda::std::atomic<int> *ready;
    cuda::std::atomic_flag *lock;
    int *data, h[66];
    cudaMalloc(&ready, sizeof *ready);
    cudaMalloc(&lock, sizeof *lock);
    cudaMalloc(&data, sizeof h);
    cudaMemset(ready, 0, sizeof *ready);
    cudaMemset(lock, 0, sizeof *lock);
    cudaMemset(data, 0, sizeof h);
    hand_over<<<2, 32>>>(ready, data);
    one_at_a_time<<<4, 8>>>(lock, data + 64);
    largest<<<1, 32>>>(data + 65);
    cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d, %d, %d: %s\n", h[32], h[63], h[64], h[65],
           cudaGetErrorString(cudaGetLastError()));
    return 0;
}
