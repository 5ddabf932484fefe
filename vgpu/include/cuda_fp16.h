/*
 * cuda_fp16.h: half precision: __half (half) and __half2 (half2), 5 bits of exponent and 10 of
 * fraction. Conversions here, arithmetic in vgpu_half_ops.h; all of it works on the host as well.
 */
#ifndef VGPU_CUDA_FP16_H
#define VGPU_CUDA_FP16_H
#define __CUDA_FP16_H__

#include "vgpu_half.h"

#define CUDART_HMAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_INF_FP16         __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16         __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_ONE_FP16         __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_ZERO_FP16        __ushort_as_half((unsigned short)0x0000U)

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

VGPU_HALF float vgpu_f16_float(unsigned short bits) {
#ifdef __CUDA_ARCH__
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
#else
    return vgpu_f16_value(bits);
#endif
}
VGPU_HALF unsigned short vgpu_float_f16(float x) {
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    return vgpu_f16_bits(x);
#endif
}
VGPU_HALF unsigned short vgpu_double_f16(double x) { return vgpu_float_f16(vgpu_odd_float(x)); }

/* Integers that a float holds only roughly go through a double, so that they are rounded once, and
 * those that a double holds only roughly through one that is rounded alike. */
struct __attribute__((aligned(2))) __half {
    unsigned short __x;

    __half() = default;
    VGPU_HALF_MEMBER __half(const __half_raw &raw) : __x(raw.x) {}
    VGPU_HALF_MEMBER __half(float x) : __x(vgpu_float_f16(x)) {}
    VGPU_HALF_MEMBER __half(double x) : __x(vgpu_double_f16(x)) {}
    VGPU_HALF_MEMBER __half(short x) : __x(vgpu_float_f16((float)x)) {}
    VGPU_HALF_MEMBER __half(unsigned short x) : __x(vgpu_float_f16((float)x)) {}
    VGPU_HALF_MEMBER __half(int x) : __x(vgpu_double_f16((double)x)) {}
    VGPU_HALF_MEMBER __half(unsigned int x) : __x(vgpu_double_f16((double)x)) {}
    VGPU_HALF_MEMBER __half(long x) : __x(vgpu_double_f16(vgpu_rounds_as((long long)x))) {}
    VGPU_HALF_MEMBER __half(unsigned long x)
        : __x(vgpu_double_f16(vgpu_rounds_as((unsigned long long)x))) {}
    VGPU_HALF_MEMBER __half(long long x) : __x(vgpu_double_f16(vgpu_rounds_as(x))) {}
    VGPU_HALF_MEMBER __half(unsigned long long x) : __x(vgpu_double_f16(vgpu_rounds_as(x))) {}

    VGPU_HALF_MEMBER operator float() const { return vgpu_f16_float(__x); }
    VGPU_HALF_MEMBER operator __half_raw() const { return __half_raw{__x}; }
    VGPU_HALF_MEMBER explicit operator bool() const { return (__x & 0x7fffu) != 0; }
    VGPU_HALF_INTEGERS

    VGPU_HALF_MEMBER __half &operator=(float x) { return *this = __half(x); }
    VGPU_HALF_MEMBER __half &operator=(double x) { return *this = __half(x); }
    VGPU_HALF_MEMBER __half &operator=(short x) { return *this = __half(x); }
    VGPU_HALF_MEMBER __half &operator=(unsigned short x) { return *this = __half(x); }
    VGPU_HALF_MEMBER __half &operator=(int x) { return *this = __half(x); }
    VGPU_HALF_MEMBER __half &operator=(unsigned int x) { return *this = __half(x); }
    VGPU_HALF_MEMBER __half &operator=(long long x) { return *this = __half(x); }
    VGPU_HALF_MEMBER __half &operator=(unsigned long long x) { return *this = __half(x); }
};

struct __attribute__((aligned(4))) __half2 {
    __half x, y;

    __half2() = default;
    VGPU_HALF_MEMBER __half2(const __half &low, const __half &high) : x(low), y(high) {}
    VGPU_HALF_MEMBER __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
};

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

VGPU_HALF float vgpu_value(const __half &h) { return vgpu_f16_float(h.__x); }
VGPU_HALF void vgpu_round(__half *h, float x) { h->__x = vgpu_float_f16(x); }
VGPU_HALF void vgpu_round(__half *h, double x) { h->__x = vgpu_double_f16(x); }

#define VGPU_H   __half
#define VGPU_H2  __half2
#define VGPU_FMT "f16"
#define VGPU_ONE 0x3C00u
#include "vgpu_half_ops.h"

/* ---- floats and doubles ---- */

VGPU_HALF __half __float2half(float x) { return __half(x); }
VGPU_HALF __half __float2half_rn(float x) { return __half(x); }
VGPU_HALF __half __float2half_rz(float x) {
    return vgpu_directed(__half(x), float(__half(x)), x, 'z');
}
VGPU_HALF __half __float2half_ru(float x) {
    return vgpu_directed(__half(x), float(__half(x)), x, 'u');
}
VGPU_HALF __half __float2half_rd(float x) {
    return vgpu_directed(__half(x), float(__half(x)), x, 'd');
}
VGPU_HALF __half __double2half(double x) { return __half(x); }
VGPU_HALF float __half2float(__half h) { return float(h); }
VGPU_HALF __half2 __float2half2_rn(float x) { return __half2(__half(x), __half(x)); }
VGPU_HALF __half2 __floats2half2_rn(float x, float y) {
#ifdef __CUDA_ARCH__
    unsigned int bits;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(y), "f"(x));
    return vgpu_pair<__half2>(bits);
#else
    return __half2(__half(x), __half(y));
#endif
}
VGPU_HALF __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
VGPU_HALF float2 __half22float2(__half2 a) { return make_float2(float(a.x), float(a.y)); }

/* ---- pairs ---- */

VGPU_HALF __half2 make_half2(__half x, __half y) { return __half2(x, y); }
VGPU_HALF __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
VGPU_HALF __half2 __half2half2(__half a) { return __half2(a, a); }
VGPU_HALF __half __low2half(__half2 a) { return a.x; }
VGPU_HALF __half __high2half(__half2 a) { return a.y; }
VGPU_HALF __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
VGPU_HALF __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
VGPU_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
VGPU_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
VGPU_HALF __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }

/* ---- bits and integers ---- */

VGPU_HALF unsigned short __half_as_ushort(__half h) { return h.__x; }
VGPU_HALF short __half_as_short(__half h) { return (short)h.__x; }
VGPU_HALF __half __ushort_as_half(unsigned short bits) { return vgpu_half<__half>(bits); }
VGPU_HALF __half __short_as_half(short bits) { return vgpu_half<__half>((unsigned short)bits); }

VGPU_HALF_TO_INTEGER(half, __half)
VGPU_HALF_FROM_INTEGER(half, __half)

#endif
