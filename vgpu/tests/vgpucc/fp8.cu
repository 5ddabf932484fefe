// Numbers of 8 bits: what they hold, and what becomes of every half, of every bfloat16 and of floats
// and doubles around each boundary, in kernels and on the host. What is right is computed here from
// the definition alone: the list of all values, and which of two neighbours is nearer.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp8.h>
#include <vector>

static const char *const names[] = {"e4m3", "e5m2"};

// The value of a code, from its bits: sign, exponent, fraction.
static double value(int code, int kind) {
    const int bits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const int e = (code & 0x7f) >> bits, f = code & ((1 << bits) - 1);
    const double size = e == 0 ? ldexp(f, 1 - bias - bits)
                               : ldexp((1 << bits) + f, e - bias - bits);
    return code & 0x80 ? -size : size;
}

static int largest(int kind) { return kind == __NV_E4M3 ? 0x7e : 0x7b; }

// The nearest code; of two as near, the even one. Beyond the largest: as if one more step were there.
// NaN has one code; a double's keeps its sign, and has another one in e5m2.
static int nearest(double x, int saturate, int kind, int nan) {
    const int sign = std::signbit(x) ? 0x80 : 0;
    if (std::isnan(x))
        return nan;
    x = fabs(x);
    const int top = largest(kind);
    const double step = value(top, kind) - value(top - 1, kind);
    if (x > value(top, kind) + step / 2 || (x == value(top, kind) + step / 2 && top % 2 == 1))
        return sign | (saturate == __NV_SATFINITE ? top : kind == __NV_E4M3 ? 0x7f : 0x7c);
    int code = 0;
    while (code < top && value(code + 1, kind) <= x)
        code++;
    if (code < top) {
        const double down = x - value(code, kind), up = value(code + 1, kind) - x;
        code += up < down || (up == down && code % 2 == 1);
    }
    return sign | code;
}

struct both {
    unsigned char code[2][2]; // by kind, by whether it saturates
};

template <class T> struct convert;
template <> struct convert<float> {
    static __host__ __device__ int to(float x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
        return __nv_cvt_float_to_fp8(x, s, k);
    }
};
template <> struct convert<double> {
    static __host__ __device__ int to(double x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
        return __nv_cvt_double_to_fp8(x, s, k);
    }
};
template <> struct convert<__half_raw> {
    static __host__ __device__ int to(__half_raw x, __nv_saturation_t s,
                                      __nv_fp8_interpretation_t k) {
        return __nv_cvt_halfraw_to_fp8(x, s, k);
    }
};
template <> struct convert<__nv_bfloat16_raw> {
    static __host__ __device__ int to(__nv_bfloat16_raw x, __nv_saturation_t s,
                                      __nv_fp8_interpretation_t k) {
        return __nv_cvt_bfloat16raw_to_fp8(x, s, k);
    }
};

template <class T> __host__ __device__ both all_ways(T x) {
    both r;
    for (int k = 0; k < 2; k++)
        for (int s = 0; s < 2; s++)
            r.code[k][s] = (unsigned char)convert<T>::to(x, (__nv_saturation_t)s,
                                                         (__nv_fp8_interpretation_t)k);
    return r;
}

template <class T> __global__ void convert_all(const T *x, both *r, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        r[i] = all_ways(x[i]);
}

static double plain(float x) { return x; }
static double plain(double x) { return x; }
static double plain(__half_raw x) { return (double)__half2float(__half(x)); }
static double plain(__nv_bfloat16_raw x) { return (double)__bfloat162float(__nv_bfloat16(x)); }

template <class T> static void compare(const char *what, const std::vector<T> &x) {
    const int n = (int)x.size();
    T *dx;
    both *dr;
    std::vector<both> r(n);
    cudaMalloc(&dx, n * sizeof(T));
    cudaMalloc(&dr, n * sizeof(both));
    cudaMemcpy(dx, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    convert_all<<<(n + 255) / 256, 256>>>(dx, dr, n);
    cudaMemcpy(r.data(), dr, n * sizeof(both), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        const both host = all_ways(x[i]);
        for (int k = 0; k < 2; k++)
            for (int s = 0; s < 2; s++) {
                const int sign = std::signbit(plain(x[i])) ? 0x80 : 0;
                const int nan = sizeof(T) < 8 ? 0x7f : sign | (k == __NV_E5M2 ? 0x7e : 0x7f);
                const int want = nearest(plain(x[i]), s, k, nan);
                if ((r[i].code[k][s] != want || host.code[k][s] != want) && wrong++ < 5)
                    printf("%s %.17g to %s, saturate %d: %02x on the device, %02x on the host, not "
                           "%02x\n",
                           what, plain(x[i]), names[k], s, r[i].code[k][s], host.code[k][s], want);
            }
    }
    printf("%s: %d values, %d wrong\n", what, n, wrong);
    cudaFree(dx);
    cudaFree(dr);
}

// Each code, each middle between two, and what lies right beside them; far too small and too large.
template <class T> static std::vector<T> edges(void) {
    std::vector<T> x = {0, (T)1e-30, (T)1e30, (T)INFINITY, (T)NAN, (T)464, (T)480, (T)61440};
    for (int k = 0; k < 2; k++)
        for (int code = 0; code <= largest(k); code++) {
            x.push_back((T)value(code, k));
            x.push_back((T)((value(code, k) + value(code + 1, k)) / 2));
        }
    for (size_t i = 0, n = x.size(); i < n; i++) {
        x.push_back(std::nextafter(x[i], (T)INFINITY));
        x.push_back(std::nextafter(x[i], (T)0));
    }
    for (size_t i = 0, n = x.size(); i < n; i++)
        x.push_back(-x[i]);
    return x;
}

// What the types give back, for every code.
template <class F> struct row {
    unsigned short half, bfloat;
    float single;
    double twice;
    signed char c;
    unsigned char u;
    short s;
    int i;
    unsigned long long l;
    long long m;
    bool b;
};
template <class F> __global__ void back(row<F> *r) {
    F x;
    x.__x = (unsigned char)threadIdx.x;
    const __half_raw h = (__half)x;
    const __nv_bfloat16_raw b = (__nv_bfloat16)x;
    row<F> one = {h.x, b.x, (float)x, (double)x, (signed char)x, (unsigned char)x,
                  (short)x, (int)x, (unsigned long long)x,
                  (long long)x, (bool)x};
    r[threadIdx.x] = one;
}

template <class I> static I clamped(double x, double least, double most) {
    return std::isnan(x) ? 0 : (I)(x < least ? least : x > most ? most : x);
}

template <class F> static void compare_back(int k) {
    row<F> *dr, r[256];
    int wrong = 0;
    cudaMalloc(&dr, sizeof r);
    cudaMemset(dr, 0, sizeof r);
    back<<<1, 256>>>(dr);
    cudaMemcpy(r, dr, sizeof r, cudaMemcpyDeviceToHost);
    for (int code = 0; code < 256; code++) {
        const int u = code & 0x7f;
        const bool infinite = k == __NV_E5M2 && u == 0x7c, nan = !infinite && u > largest(k);
        const double v = nan ? NAN : infinite ? (code & 0x80 ? -INFINITY : INFINITY)
                                              : value(code, k);
        const row<F> &g = r[code];
        F x;
        x.__x = (unsigned char)code;
        const __half_raw on_host = (__half)x;
        const bool same = nan ? g.half == 0x7fff && std::isnan(g.single) && std::isnan(g.twice) &&
                                    std::isnan(__bfloat162float(__nv_bfloat16_raw{g.bfloat}))
                              : g.single == v && g.twice == v &&
                                    std::signbit(g.single) == (code >= 0x80) &&
                                    __half2float(__half_raw{g.half}) == v &&
                                    __bfloat162float(__nv_bfloat16_raw{g.bfloat}) == v;
        if (!same || on_host.x != g.half || g.c != clamped<signed char>(v, -128, 127) ||
            g.u != clamped<unsigned char>(v, 0, 255) || g.s != clamped<short>(v, -32768, 32767) ||
            g.i != (infinite ? (v < 0 ? -2147483647 - 1 : 2147483647) : clamped<int>(v, -1e6, 1e6)) ||
            g.l != (nan        ? 1ull << 63
                    : infinite ? (v < 0 ? 0 : ~0ull)
                               : clamped<unsigned long long>(v, 0, 1e6)) ||
            g.m != (nan        ? (long long)(1ull << 63)
                    : infinite ? (v < 0 ? (long long)(1ull << 63) : (long long)(~0ull >> 1))
                               : clamped<long long>(v, -1e6, 1e6)) ||
            g.b != (u != 0)) {
            wrong++;
            printf("%s %02x: %g %d %d %d %d %llu\n", names[k], code, (double)g.single, g.c, g.u, g.s, g.i,
                   g.l);
        }
    }
    printf("%s back: %d wrong\n", names[k], wrong);
    cudaFree(dr);
}

// Pairs and fours are their parts; constructors saturate.
__global__ void several(unsigned int *r) {
    const float4 x = make_float4(1.0f, -1000.0f, 0.3f, 1e9f);
    r[0] = __nv_fp8x4_e4m3(x).__x;
    r[1] = __nv_fp8x4_e5m2(x).__x;
    r[2] = __nv_fp8x2_e4m3(make_float2(2.5f, -0.0f)).__x;
    r[3] = __nv_fp8x2_e5m2(make_double2(1e300, 3.0)).__x;
    r[4] = __nv_fp8_e4m3(17).__x | __nv_fp8_e5m2(-100000ll).__x << 8;
    r[5] = __nv_cvt_halfraw2_to_fp8x2(__half2_raw{0x3c00, 0xfc00}, __NV_NOSAT, __NV_E4M3);
    const float4 back = (float4)__nv_fp8x4_e4m3(x);
    const float2 pair = (float2)__nv_fp8x2_e5m2(make_float2(back.z, 7.0f));
    const __half2 halves = (__half2)__nv_fp8x2_e4m3(make_float2(back.x, back.y));
    printf("%g %g %g %g, %g %g, %g %g\n", back.x, back.y, back.z, back.w, pair.x, pair.y,
           (float)halves.x, (float)halves.y);
}

int main() {
    std::vector<__half_raw> halves(65536);
    std::vector<__nv_bfloat16_raw> bfloats(65536);
    for (int i = 0; i < 65536; i++) {
        halves[i].x = (unsigned short)i;
        bfloats[i].x = (unsigned short)i;
    }
    compare("halves", halves);
    compare("bfloat16s", bfloats);
    compare("floats", edges<float>());
    compare("doubles", edges<double>());
    compare_back<__nv_fp8_e4m3>(__NV_E4M3);
    compare_back<__nv_fp8_e5m2>(__NV_E5M2);
    unsigned int *dr, r[6];
    cudaMalloc(&dr, sizeof r);
    several<<<1, 1>>>(dr);
    cudaMemcpy(r, dr, sizeof r, cudaMemcpyDeviceToHost);
    printf("%08x %08x %04x %04x %04x %04x\n", r[0], r[1], r[2], r[3], r[4], r[5]);
    cudaFree(dr);
    return 0;
}
