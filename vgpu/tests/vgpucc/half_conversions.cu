// Conversions between integers and both half types with a chosen rounding, in a kernel and on the
// host, against exact arithmetic.
#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef long long ll;
typedef unsigned long long ull;
enum { NEAREST, ZERO, UP, DOWN, MODES };
static const char *const modes[] = {"rn", "rz", "ru", "rd"};

/* nvcc has most of these functions for kernels alone. */
#ifdef __clang__
#define EVERYWHERE __host__ __device__
#else
#define EVERYWHERE __device__
#endif

#define EACH_MODE(name, x, o)                                                                      \
    o[0] = name##_rn(x), o[1] = name##_rz(x), o[2] = name##_ru(x), o[3] = name##_rd(x)
#define FROM(half)                                                                                 \
    EVERYWHERE void from_integer(ll x, half##_results *o) {                                        \
        EACH_MODE(__short2##half, (short)x, o->s);                                                 \
        EACH_MODE(__ushort2##half, (unsigned short)x, o->us);                                      \
        EACH_MODE(__int2##half, (int)x, o->i);                                                     \
        EACH_MODE(__uint2##half, (unsigned)x, o->u);                                               \
        EACH_MODE(__ll2##half, x, o->l);                                                           \
        EACH_MODE(__ull2##half, (ull)x, o->ul);                                                    \
    }
#define TO(half, H)                                                                                \
    EVERYWHERE void to_integer(H h, integers *o) {                                                 \
        EACH_MODE(__##half##2short, h, o->s);                                                      \
        EACH_MODE(__##half##2ushort, h, o->us);                                                    \
        EACH_MODE(__##half##2int, h, o->i);                                                        \
        EACH_MODE(__##half##2uint, h, o->u);                                                       \
        EACH_MODE(__##half##2ll, h, o->l);                                                         \
        EACH_MODE(__##half##2ull, h, o->ul);                                                       \
        o->c = __##half##2char_rz(h), o->uc = __##half##2uchar_rz(h);                              \
    }
template <class H> struct results {
    H s[MODES], us[MODES], i[MODES], u[MODES], l[MODES], ul[MODES];
};
typedef results<__half> half_results;
typedef results<__nv_bfloat16> bfloat16_results;
struct integers {
    short s[MODES];
    unsigned short us[MODES];
    int i[MODES];
    unsigned u[MODES];
    ll l[MODES];
    ull ul[MODES];
    signed char c;
    unsigned char uc;
};
FROM(half)
FROM(bfloat16)
TO(half, __half)
TO(bfloat16, __nv_bfloat16)

template <class H> __global__ void k(const ll *x, results<H> *o) {
    from_integer(x[threadIdx.x], &o[threadIdx.x]);
}
template <class H> __global__ void back(const float *x, integers *o) {
    to_integer(H(x[threadIdx.x]), &o[threadIdx.x]);
}

static const ll whole[] = {0,
                           1,
                           -1,
                           255,
                           257,
                           2047,
                           2049,
                           -2049,
                           2051,
                           4098,
                           4099,
                           65503,
                           65504,
                           65505,
                           65519,
                           65520,
                           -65519,
                           -65520,
                           131071,
                           32769,
                           16777217,
                           33554433,
                           -33554433,
                           2147483647,
                           -2147483647 - 1,
                           4294967295,
                           0x7fffffffffffffff,
                           -0x7fffffffffffffff,
                           (ll)0x8080000000000000,
                           (ll)0x8080000000000001,
                           (ll)0x807fffffffffffff,
                           0x4040000000000000,
                           0x4040000000000001,
                           0x403fffffffffffff,
                           (ll)0xffffff0000000001,
                           0x0101000000000001,
                           -0x0101000000000001};
static const float broken[] = {0,      -0.f,    0.5f,   -0.5f,    1.5f,      2.5f,    -2.5f, 126.5f,
                               127.5f, -128.5f, 255.5f, 300,      -300,      1000.5f, 32760, 32768,
                               -32768, 40000,   -40000, 65504,    1e9f,      -1e9f,   3e9f,  1e19f,
                               2e19f,  -1e19f,  1e38f,  INFINITY, -INFINITY, NAN};
enum { WHOLE = sizeof whole / sizeof *whole, BROKEN = sizeof broken / sizeof *broken };

// The neighbours of x among the type's numbers: what is below and what is above it.
template <class H> static H of_bits(unsigned short bits) {
    H h;
    memcpy((void *)&h, &bits, sizeof h);
    return h;
}
template <class H> static H exact(long double x, int mode) {
    unsigned short low = 0; // the largest number not above |x|
    const long double size = fabsl(x);
    while ((long double)(float)of_bits<H>(low + 1) <= size)
        low++;
    const long double below = (float)of_bits<H>(low), above = (float)of_bits<H>(low + 1);
    // What the number after the largest would be decides whether x rounds to infinity.
    const long double next =
        std::isinf((float)above) ? below + (below - (float)of_bits<H>(low - 1)) : above;
    const bool away = mode == UP ? x > 0 : mode == DOWN ? x < 0 : false;
    const bool nearer = size - below > next - size || (size - below == next - size && (low & 1));
    const bool up = size > below && (mode == NEAREST ? nearer : away);
    return of_bits<H>((low + up) | (x < 0 ? 0x8000 : 0));
}

static int wrong, right;
static void expect(const char *name, int mode, double of, double got, double expected) {
    if (got == expected || (got != got && expected != expected)) {
        right++;
        return;
    }
    wrong++;
    printf("%s_%s(%.17g) = %.17g, not %.17g\n", name, modes[mode], of, got, expected);
}

template <class I> static double integer(double x, int mode) {
    const bool is_signed = (I)-1 < (I)0;
    const double top = ldexp(1, 8 * sizeof(I) - is_signed), bottom = is_signed ? -top : 0;
    if (x != x)
        return sizeof(I) == 8 ? (double)(I)(1ull << 63) : 0;
    const double w = mode == NEAREST ? rint(x)
                     : mode == ZERO  ? trunc(x)
                     : mode == UP    ? ceil(x)
                                     : floor(x);
    return w >= top     ? (double)(I)(is_signed ? ~0ull >> (65 - 8 * sizeof(I)) : ~0ull)
           : w < bottom ? bottom
                        : w;
}

#define FLOAT(name, member, I)                                                                     \
    expect(name, m, (double)(I)x, (float)o->member[m], (float)exact<H>((I)x, m))
template <class H> static void check(const results<H> *o) {
    for (ll x : whole) {
        for (int m = 0; m < MODES; m++) {
            FLOAT("short", s, short);
            FLOAT("ushort", us, unsigned short);
            FLOAT("int", i, int);
            FLOAT("uint", u, unsigned);
            FLOAT("ll", l, ll);
            FLOAT("ull", ul, ull);
        }
        o++;
    }
}
#define INTEGER(name, member, I) expect(name, m, x, (double)o->member[m], integer<I>(x, m))
template <class H> static void check_back(const integers *o) {
    for (float f : broken) {
        const double x = (float)H(f);
        for (int m = 0; m < MODES; m++) {
            INTEGER("to short", s, short);
            INTEGER("to ushort", us, unsigned short);
            INTEGER("to int", i, int);
            INTEGER("to uint", u, unsigned);
            INTEGER("to ll", l, ll);
            INTEGER("to ull", ul, ull);
        }
        expect("to char", ZERO, x, o->c, integer<signed char>(x, ZERO));
        expect("to uchar", ZERO, x, o->uc, integer<unsigned char>(x, ZERO));
        o++;
    }
}

template <class H> static void all(const char *name, const ll *x, const float *y) {
    results<H> *o;
    integers *n;
    cudaMallocManaged(&o, WHOLE * sizeof *o);
    cudaMallocManaged(&n, BROKEN * sizeof *n);
    k<<<1, WHOLE>>>(x, o);
    back<H><<<1, BROKEN>>>(y, n);
    printf("%s: %s\n", name, cudaGetErrorString(cudaDeviceSynchronize()));
    check(o);
    check_back<H>(n);
#ifdef __clang__
    for (int i = 0; i < WHOLE; i++)
        from_integer(whole[i], &o[i]);
    for (int i = 0; i < BROKEN; i++)
        to_integer(H(broken[i]), &n[i]);
#endif
    check(o);
    check_back<H>(n);
    cudaFree(o);
    cudaFree(n);
}

int main() {
    ll *x;
    float *y;
    cudaMallocManaged(&x, sizeof whole);
    cudaMallocManaged(&y, sizeof broken);
    cudaMemcpy(x, whole, sizeof whole, cudaMemcpyDefault);
    cudaMemcpy(y, broken, sizeof broken, cudaMemcpyDefault);
    all<__half>("half", x, y);
    all<__nv_bfloat16>("bfloat16", x, y);
    printf("%d conversions, %d wrong\n", right + wrong, wrong);
    const __half2 a(__half(1.0f), __half(NAN)), b(__half(2.0f), __half(2.0f));
    __half h;
    h = 7u;
    h = (ll)h + 1;
    printf("%x %x %d %d\n", __hne2_mask(a, b), __hneu2_mask(a, b), (signed char)h,
           (int)(unsigned char)__half(300.0f));
    cudaFree(x);
    cudaFree(y);
    return wrong != 0;
}
