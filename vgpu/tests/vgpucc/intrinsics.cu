// Device functions that no other program calls: dot products, matches, atomics of other types.
// flags: -arch=sm_90
#include <cstdio>

__global__ void k(unsigned *u, float *f, unsigned short *s) {
    const unsigned lane = threadIdx.x;
    if (lane == 0) {
        u[0] = __vadd4(0x01ff7f80u, 0x01010101u);
        u[1] = __vmaxs2(0x8000ffffu, 0x00017fffu);
        u[2] = (unsigned)__dp4a(0x01020304, 0x7f01ff02, 5);
        u[3] = (unsigned)__dp2a_lo(0x00020003, 0x01020304, 1);
        u[4] = __fns(0xf0f0u, 0, 3);
        u[5] = __vabsdiffu4(0x10203040u, 0x40302010u);
        u[6] = __funnelshift_l(0x80000000u, 1, 1);
        u[7] = atomicCAS(s, (unsigned short)7, (unsigned short)9);
        u[8] = *s;
        unsigned long long ns;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
        u[9] = ns > 1000000000ull;
        const long long before = clock64();
        u[10] = clock64() > before; // though no loop lies in between
        u[11] = __isShared(f) + 2 * __isGlobal(f);
    }
    int all;
    const unsigned any = __match_any_sync(0xffffffffu, lane / 5);
    const unsigned same = __match_all_sync(0xffffffffu, 3, &all);
    if (lane == 7) {
        u[12] = any;
        u[13] = same;
        u[14] = (unsigned)all;
    }
    const unsigned most = __reduce_max_sync(0xffffffffu, lane * 7 % 32);
    if (lane == 9)
        u[15] = most;
    const unsigned wide = __match_any_sync(0xffffffffu, (long long)(lane / 3) << 33);
    const unsigned doubles = __match_any_sync(0xffffffffu, lane % 7 * 0.125);
    __match_all_sync(0xffffffffu, (unsigned long long)lane << 40, &all);
    if (lane == 11) {
        u[16] = wide;
        u[17] = doubles;
        u[18] = (unsigned)all;
        const char4 b = make_char4(-1, 2, -128, 127);
        const uchar4 ub = make_uchar4(255, 2, 128, 127);
        const short2 h = make_short2(-3, 32767);
        const ushort2 uh = make_ushort2(65533, 32767);
        u[19] = (unsigned)__dp4a(b, make_char4(1, -2, 3, 4), 1000);
        u[20] = __dp4a(ub, make_uchar4(1, 254, 3, 4), 1000u);
        u[21] = (unsigned)__dp2a_lo(h, b, -7);
        u[22] = (unsigned)__dp2a_hi(h, b, -7);
        u[23] = __dp2a_lo(uh, ub, 7u);
        u[24] = __dp2a_hi(uh, ub, 7u);
        u[25] = __dp2a_hi(0xfffd7fffu, 0x81ff027fu, 7u);
    }
    atomicAdd((float2 *)f, make_float2(1.0f, 0.5f));
    atomicAdd((float4 *)(f + 4), make_float4(1, 2, 3, 4));
    __nanosleep(10);
}

int main() {
    unsigned *u;
    float *f;
    unsigned short *s;
    cudaMallocManaged(&u, 26 * sizeof *u);
    cudaMallocManaged(&f, 32);
    cudaMallocManaged(&s, 4);
    *s = 7;
    for (int i = 0; i < 8; ++i)
        f[i] = 0;
    k<<<1, 32>>>(u, f, s);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 26; ++i)
        printf("%x ", u[i]);
    printf("\n%g %g %g %g\n", f[0], f[1], f[4], f[7]);
    cudaFree(u);
    cudaFree(f);
    cudaFree(s);
}
