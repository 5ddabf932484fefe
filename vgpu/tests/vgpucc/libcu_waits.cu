// More of libcu++: latches, semaphores, and of cuda::std bits, optionals, swap and exchange.
// flags: -std=c++17
#include <cstdio>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/bit>
#include <cuda/std/cstdint>
#include <cuda/std/optional>
#include <cuda/std/utility>
#include <new>

using latch = cuda::latch<cuda::thread_scope_device>;
__device__ int published[64];

// The second block waits for what the first has written.
__global__ void prepare(latch *ready) {
    new (ready) latch(64);
}
__global__ void hand_over(latch *ready, int *out) {
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        published[t] = t * t;
        ready->count_down();
    } else {
        ready->wait();
        out[t] = published[63 - t] + (ready->try_wait() ? 1000 : 0);
    }
}

// A latch in shared memory, twice as many arrivals as threads.
__global__ void shared_latch(int *out) {
    using latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(latch) char place[sizeof(latch)];
    __shared__ int cell[64];
    latch *const l = (latch *)place;
    const int t = threadIdx.x;
    if (t == 0)
        new (place) latch(128);
    __syncthreads();
    cell[t] = t + 1;
    l->count_down();
    l->arrive_and_wait();
    out[t] = cell[t ^ 1];
}

struct semaphores {
    cuda::binary_semaphore<cuda::thread_scope_device> one;
    cuda::counting_semaphore<cuda::thread_scope_device, 8> few;
    __device__ semaphores() : one(1), few(3) {}
};
__global__ void prepare(semaphores *s) {
    new (s) semaphores;
}

// What the semaphore guards does not race; at most three are inside the other.
__global__ void guarded(semaphores *s, int *out, int *inside) {
    s->one.acquire();
    out[0] = out[0] + (int)threadIdx.x;
    s->one.release();
    s->few.acquire();
    atomicMax(&out[1], atomicAdd(inside, 1) + 1);
    atomicSub(inside, 1);
    s->few.release();
}
__global__ void left(semaphores *s, int *out) {
    int n = 0;
    while (s->few.try_acquire())
        n++;
    s->few.release(n);
    out[2] = n;
    out[3] = s->one.try_acquire();
}

namespace cs = cuda::std;
__host__ __device__ cs::optional<int> half_of(int x) {
    return x % 2 == 0 ? cs::optional<int>(x / 2) : cs::nullopt;
}
__host__ __device__ int types(int t) {
    const unsigned u = 0xf0f0u + (unsigned)t;
    int r = cs::popcount(u) + 3 * cs::countl_zero(u) + 5 * cs::countr_zero(u | 4u) +
            7 * cs::bit_width(u);
    r += cs::countl_one((unsigned char)(0xf0 | t)) + cs::countr_one((unsigned short)t) +
         cs::has_single_bit((unsigned)t);
    r += (int)(cs::bit_ceil((unsigned)t + 1) + cs::bit_floor((unsigned)t)) +
         cs::rotl((cs::uint8_t)0x81, t) + cs::rotr((cs::uint16_t)t, t);
    r += (int)(cs::bit_cast<unsigned>((float)t) >> 20);
    int a = t, b = 3 * t, c[2] = {a, b}, d[2] = {b, 1};
    cs::swap(a, b);
    cs::swap(c, d);
    r = r * 31 + a * 7 + c[0] * 5 + c[1] * 3 + cs::exchange(b, 9) + b;
    cs::optional<int> o, p = half_of(t), q = p;
    r = r * 31 + p.value_or(-1) + (o == cs::nullopt) + 2 * (p == q) + 4 * (o < p) + 8 * (p > 3) +
        16 * (2 != p);
    if (p)
        r += *p;
    o = t;
    o.swap(p);
    p.reset();
    r += o.value_or(7) * 3 + p.has_value() + o.emplace(5);
    r += o.value();
    return r + cs::make_optional(2.5).value_or(1) * 2;
}
__global__ void compute(int *out) {
    out[threadIdx.x] = types((int)threadIdx.x);
}

int main() {
    int *out, h[64];
    cudaMalloc(&out, sizeof h);
    auto show = [&](const char *name) {
        cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
        printf("%s: %d %d %d %d %s\n", name, h[0], h[1], h[2], h[3],
               cudaGetErrorName(cudaGetLastError()));
        cudaMemset(out, 0, sizeof h);
    };
    latch *ready;
    cudaMalloc(&ready, sizeof *ready);
    prepare<<<1, 1>>>(ready);
    hand_over<<<2, 64>>>(ready, out);
    show("hand_over");
    shared_latch<<<1, 64>>>(out);
    show("shared_latch");
    semaphores *s;
    cudaMalloc(&s, sizeof *s);
    prepare<<<1, 1>>>(s);
    guarded<<<1, 64>>>(s, out, out + 8);
    left<<<1, 1>>>(s, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("at most %s inside\n", h[1] >= 1 && h[1] <= 3 ? "three" : "too many");
    h[1] = 3;
    cudaMemcpy(out, h, sizeof h, cudaMemcpyHostToDevice);
    show("guarded");
    compute<<<1, 64>>>(out);
    show("types");
    int wrong = 0;
    for (int t = 0; t < 64; t++)
        wrong += h[t] != types(t);
    printf("%d wrong\n", wrong);
    cudaFree(out);
    cudaFree(ready);
    cudaFree(s);
}
