// A warp for each 32 x 32 tile, operands straight from global memory to registers, totals in registers.
#include "cuda_check.h"
#include "lab.h"
#include <stdint.h>

static __device__ __forceinline__ uint32_t tf32(float x) { uint32_t r; asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x)); return r; }
struct Split { uint32_t hi, lo; };
static __device__ __forceinline__ Split cut(float x) { Split s; s.hi = tf32(x); s.lo = tf32(x - __uint_as_float(s.hi)); return s; }
static __device__ __forceinline__ void mma(float *d, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

__global__ void mm(int m, int n, int k, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C) {
    const int lane = threadIdx.x, g = lane >> 2, q = lane & 3;
    const long r0 = (long)(blockIdx.x * blockDim.y + threadIdx.y) * 32, c0 = blockIdx.y * 32L;
    if (r0 >= m) return; // the whole warp
    float tot[2][4][4] = {}, s[2][4][4] = {};
    auto a = [&](long r, int c) { return r < m && c < k ? A[r * k + c] : 0.0f; };
    auto b = [&](int r, long c) { return r < k && c < n ? B[(long)r * n + c] : 0.0f; };
    for (int p = 0; p < k; p += 8) {
        Split av[2][4], bv[4][2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const long r = r0 + 16 * i + g;
            av[i][0] = cut(a(r, p + q)); av[i][1] = cut(a(r + 8, p + q));
            av[i][2] = cut(a(r, p + q + 4)); av[i][3] = cut(a(r + 8, p + q + 4));
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            bv[j][0] = cut(b(p + q, c0 + 8 * j + g)); bv[j][1] = cut(b(p + q + 4, c0 + 8 * j + g));
        }
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                mma(s[i][j], av[i][0].lo, av[i][1].lo, av[i][2].lo, av[i][3].lo, bv[j][0].hi, bv[j][1].hi);
                mma(s[i][j], av[i][0].hi, av[i][1].hi, av[i][2].hi, av[i][3].hi, bv[j][0].lo, bv[j][1].lo);
                mma(s[i][j], av[i][0].hi, av[i][1].hi, av[i][2].hi, av[i][3].hi, bv[j][0].hi, bv[j][1].hi);
            }
        if (p % 32 == 24 || p + 8 >= k) {
#pragma unroll
            for (int i = 0; i < 32; ++i) { float &x = (&s[0][0][0])[i]; (&tot[0][0][0])[i] += x; x = 0; }
        }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                long r = r0 + 16 * i + g + (e >> 1) * 8, c = c0 + 8 * j + 2 * q + (e & 1);
                if (r < m && c < n) C[r * n + c] = tot[i][j][e];
            }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    dim3 block(32, 4), grid((m + 127) / 128, (n + 31) / 32);
    mm<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
