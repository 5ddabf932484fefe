// Copies arrive at an mbarrier for each of two buffers; the parity that is waited for changes with every
// slab, but each buffer is used for every second one only. Threads wait for ever.
#include "cuda_check.h"
#include "lab.h"
#include <stdint.h>

constexpr int TM = 64, TN = 64, TK = 16, NT = 256;

__device__ uint32_t addr(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void bar_init(uint64_t *b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addr(b)), "r"(n) : "memory"); }
__device__ void bar_arrive_copies(uint64_t *b) { asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(addr(b)) : "memory"); }
__device__ void bar_wait(uint64_t *b, int phase) {
    asm volatile("{\n .reg .pred p;\nW%=: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n @!p bra W%=;\n}" ::"r"(addr(b)), "r"(phase) : "memory");
}

__global__ void __launch_bounds__(NT) mm(int m, int n, int k, const float *A, const float *B, float *C)
{
    __shared__ float a[2][TM][TK + 1], b[2][TK][TN];
    __shared__ uint64_t full[2];
    const int t = threadIdx.x, x = t % 16, y = t / 16, r0 = blockIdx.x * TM, c0 = blockIdx.y * TN;
    if (t < 2) bar_init(&full[t], NT);
    __syncthreads();
    auto load = [&](int s, int k0) {
        for (int e = t; e < TM * TK; e += NT) {
            int r = e / TK, c = e % TK; bool in = r0 + r < m && k0 + c < k;
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(addr(&a[s][r][c])), "l"(in ? A + (size_t)(r0 + r) * k + k0 + c : A), "r"(in ? 4 : 0) : "memory");
        }
        for (int e = t; e < TK * TN; e += NT) {
            int r = e / TN, c = e % TN; bool in = k0 + r < k && c0 + c < n;
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(addr(&b[s][r][c])), "l"(in ? B + (size_t)(k0 + r) * n + c0 + c : B), "r"(in ? 4 : 0) : "memory");
        }
        bar_arrive_copies(&full[s]);
    };
    float acc[4][4] = {};
    load(0, 0);
    for (int i = 0; i * TK < k; ++i) {
        int s = i & 1;
        if ((i + 1) * TK < k) load(s ^ 1, (i + 1) * TK);
        bar_wait(&full[s], i & 1);
        for (int p = 0; p < TK; ++p) {
            float av[4], bv[4];
#pragma unroll
            for (int q = 0; q < 4; ++q) av[q] = a[s][y + 16 * q][p], bv[q] = b[s][p][x + 16 * q];
#pragma unroll
            for (int q = 0; q < 16; ++q) acc[q / 4][q % 4] += av[q / 4] * bv[q % 4];
        }
        __syncthreads();
    }
    for (int q = 0; q < 16; ++q) {
        int r = r0 + y + q / 4 * 16, c = c0 + x + q % 4 * 16;
        if (r < m && c < n) C[(size_t)r * n + c] = acc[q / 4][q % 4];
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    mm<<<dim3((m + TM - 1) / TM, (n + TN - 1) / TN), NT>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
