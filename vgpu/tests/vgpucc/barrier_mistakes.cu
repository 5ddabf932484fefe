// Mistakes with barriers in shared memory: data read before the barrier, a copy not waited for, a count that
// nobody reaches, one thread too many, a barrier that nobody made.
#include <cstdio>
#include <cuda/barrier>
#include <sys/wait.h>
#include <unistd.h>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void arrives_and_reads(int *out) {
    __shared__ block_barrier bar;
    __shared__ int cell[64];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    cell[threadIdx.x] = threadIdx.x;
    auto token = bar.arrive();
    out[threadIdx.x] = cell[63 - threadIdx.x]; // before the wait
    bar.wait(std::move(token));
}

__global__ void refills_too_early(int *out) {
    __shared__ block_barrier bar;
    __shared__ int cell[64];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    for (int i = 0; i < 2; ++i) {
        cell[threadIdx.x] = i; // while others may still read
        bar.arrive_and_wait();
        out[threadIdx.x] = cell[63 - threadIdx.x];
    }
}

__global__ void forgets_the_copy(const int *in, int *out) {
    __shared__ block_barrier bar;
    __shared__ int tile[64];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), bar);
    out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void waits_for_nobody(int *out) {
    __shared__ block_barrier bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x + 1);
    __syncthreads();
    bar.arrive_and_wait();
    out[threadIdx.x] = 1;
}

__global__ void one_too_many(int *out) {
    __shared__ block_barrier bar;
    if (threadIdx.x == 0) init(&bar, 8);
    __syncthreads();
    (void)bar.arrive(threadIdx.x == 0 ? 9 : 1);
    out[threadIdx.x] = 1;
}

__global__ void never_made(int *out) {
    __shared__ block_barrier bar;
    bar.arrive_and_wait();
    out[threadIdx.x] = 1;
}

static void run(const char *name) {
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    fprintf(stderr, "%s\n", name);
    if (!strcmp(name, "arrives_and_reads")) arrives_and_reads<<<1, 64>>>(out);
    if (!strcmp(name, "refills_too_early")) refills_too_early<<<1, 64>>>(out);
    if (!strcmp(name, "forgets_the_copy")) forgets_the_copy<<<1, 64>>>(in, out);
    if (!strcmp(name, "waits_for_nobody")) waits_for_nobody<<<1, 1>>>(out);
    if (!strcmp(name, "one_too_many")) one_too_many<<<1, 1>>>(out);
    if (!strcmp(name, "never_made")) never_made<<<1, 1>>>(out);
    fprintf(stderr, "%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

int main() {
    const char *const names[] = {"arrives_and_reads", "refills_too_early", "forgets_the_copy",
                                 "waits_for_nobody",  "one_too_many",      "never_made"};
    for (const char *name : names) { // each in a process of its own: a fault is the last thing a device does
        if (fork() == 0) {
            run(name);
            return 0;
        }
        wait(nullptr);
    }
    return 0;
}
