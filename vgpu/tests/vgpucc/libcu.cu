// The parts of libcu++ that kernels use: cuda::barrier, cuda::pipeline of a thread and of a block, copies that
// arrive at them, cuda::atomic, cuda::std.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/limits>
#include <cuda/std/type_traits>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Each round every thread takes its neighbour's number: one barrier, two phases a round.
__global__ void hand_on(int *out) {
    __shared__ block_barrier bar;
    __shared__ int cell[64];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    int mine = threadIdx.x;
    for (int round = 0; round < 3; ++round) {
        cell[threadIdx.x] = mine;
        block_barrier::arrival_token token = bar.arrive();
        bar.wait(std::move(token));
        mine = cell[(threadIdx.x + 1) % 64] + 100;
        bar.arrive_and_wait();
    }
    out[threadIdx.x] = mine;
}

// Copies of one thread each, and one that the block shares.
__global__ void copy_and_wait(const int *in, int *out) {
    __shared__ block_barrier bar;
    __shared__ alignas(16) int tile[64], whole[64];
    const auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), bar);
    cuda::memcpy_async(block, whole, in, cuda::aligned_size_t<16>(sizeof whole), bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = tile[63 - threadIdx.x] + 1000 * whole[(threadIdx.x + 5) % 64];
}

template <int Stages> __global__ void thread_pipeline(const int *in, int *out, int rounds) {
    __shared__ int tile[Stages][64];
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int r = 0, fetched = 0; r < rounds; ++r) {
        for (; fetched < rounds && fetched < r + Stages; ++fetched) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[fetched % Stages][threadIdx.x], &in[64 * fetched + threadIdx.x],
                               cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        __syncthreads();
        sum += tile[r % Stages][63 - threadIdx.x];
        __syncthreads();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

__global__ void block_pipeline(const int *in, int *out, int rounds) {
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ int tile[stages][64];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int r = 0, fetched = 0; r < rounds; ++r) {
        for (; fetched < rounds && fetched < r + stages; ++fetched) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[fetched % stages], in + 64 * fetched, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[r % stages][63 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// The first warp copies, the second adds up.
__global__ void two_roles(const int *in, int *out, int rounds) {
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ int tile[stages][32];
    auto block = cg::this_thread_block();
    const bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[r % stages][threadIdx.x], &in[64 * r + threadIdx.x], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += tile[r % stages][63 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    if (!produces) out[threadIdx.x - 32] = sum;
}

__device__ cuda::atomic<int, cuda::thread_scope_device> hits{0};
__global__ void atomics(int *out, float *real) {
    hits.fetch_add(2, cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_block> smallest(out[0]), largest(out[1]), bits(out[2]);
    smallest.fetch_min((int)threadIdx.x - 7);
    largest.fetch_max((int)(threadIdx.x * 3));
    bits.fetch_or(1 << (threadIdx.x % 8));
    cuda::atomic_ref<float, cuda::thread_scope_device> sum(*real);
    sum.fetch_add(0.5f);
    cuda::atomic_ref<int> last(out[3]);
    int expected = last.load();
    while (!last.compare_exchange_weak(expected, expected + 1)) {
    }
    static_assert(cuda::std::is_same<int, decltype(expected)>::value, "");
    __syncthreads();
    if (threadIdx.x == 0) {
        out[4] = hits.load(cuda::memory_order_acquire);
        out[5] = cuda::std::numeric_limits<int>::max() == 0x7fffffff;
        out[6] = (hits = 5, hits++, --hits, (int)hits);
    }
}

// A lock of an atomic: what it guards does not race.
__global__ void guarded(int *sum) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> lock;
    if (threadIdx.x == 0) lock.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    while (lock.exchange(1, cuda::memory_order_acquire) != 0) {
    }
    *sum = *sum + (int)threadIdx.x;
    lock.store(0, cuda::memory_order_release);
}

int main() {
    const int rounds = 5;
    int *in, *out, h[64 * rounds];
    float *real, r = 0;
    for (int i = 0; i < 64 * rounds; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&real, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    auto show = [&](const char *name) {
        cudaMemcpy(h, out, sizeof(int) * 64, cudaMemcpyDeviceToHost);
        printf("%s: %d %d %d %s\n", name, h[0], h[1], h[31], cudaGetErrorName(cudaGetLastError()));
    };
    cudaMemset(out, 0, sizeof h);
    hand_on<<<1, 64>>>(out);
    show("hand_on");
    copy_and_wait<<<1, 64>>>(in, out);
    show("copy_and_wait");
    thread_pipeline<1><<<1, 64>>>(in, out, rounds);
    show("thread_pipeline<1>");
    thread_pipeline<3><<<1, 64>>>(in, out, rounds);
    show("thread_pipeline<3>");
    block_pipeline<<<1, 64>>>(in, out, rounds);
    show("block_pipeline");
    two_roles<<<1, 64>>>(in, out, rounds);
    show("two_roles");
    cudaMemset(out, 0, sizeof h);
    cudaMemset(real, 0, sizeof r);
    guarded<<<1, 64>>>(out);
    show("guarded");
    cudaMemset(out, 0, sizeof h);
    atomics<<<1, 64>>>(out, real);
    cudaMemcpy(h, out, sizeof(int) * 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(&r, real, sizeof r, cudaMemcpyDeviceToHost);
    printf("atomics: %d %d %d %d, %d %d %d, %.1f %s\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6], r, cudaGetErrorName(cudaGetLastError()));
    return 0;
}
