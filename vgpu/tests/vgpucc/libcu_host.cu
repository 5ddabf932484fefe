// cuda::atomic in managed memory, used by both sides.
#include <cstdio>
#include <cuda/atomic>

struct Counts {
    cuda::atomic<int> all;
    cuda::atomic<unsigned long long, cuda::thread_scope_device> sum;
    cuda::atomic<float> least;
    unsigned bits;
};

__global__ void count(Counts *c) {
    c->all.fetch_add(1);
    c->sum += threadIdx.x;
    c->least.fetch_min(100.0f - threadIdx.x);
    cuda::atomic_ref<unsigned>(c->bits).fetch_or(1u << threadIdx.x % 32);
}

int main() {
    Counts *c;
    cudaMallocManaged(&c, sizeof *c);
    c->all.store(5);
    c->sum = 7;
    c->least.store(1e9f);
    c->bits = 0;
    count<<<2, 40>>>(c);
    cudaDeviceSynchronize();
    printf("%d %llu %g %x\n", c->all.load(), c->sum.load(), c->least.load(), c->bits);
    int expected = 3;
    printf("%d", c->all.compare_exchange_strong(expected, 9));
    printf(" %d", c->all.compare_exchange_strong(expected, 9));
    printf(" %d %d", expected, (int)c->all);
    printf(" %d", c->all.exchange(4));
    printf(" %d", c->all++);
    printf(" %d", --c->all);
    printf(" %d\n", c->all.fetch_max(11));
    cuda::atomic_ref<unsigned> bits(c->bits);
    bits.fetch_and(0xF0u);
    bits.fetch_xor(0x11u);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
    printf("%x %d\n", c->bits, c->all.load());
    cudaFree(c);
}
