/*
 * cuda_bf16.h: bfloat16: __nv_bfloat16 (nv_bfloat16) and its pair, the upper half of a float: 8
 * bits of exponent and 7 of fraction. Conversions here, arithmetic in vgpu_half_ops.h; all of it
 * works on the host as well.
 */
#ifndef VGPU_CUDA_BF16_H
#define VGPU_CUDA_BF16_H
#define __CUDA_BF16_H__

#include "vgpu_half.h"

#define CUDART_INF_BF16  __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16  __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_ONE_BF16  __ushort_as_bfloat16((unsigned short)0x3F80U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

VGPU_HALF unsigned short vgpu_float_bf16(float x) {
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    return vgpu_bf16_bits(x);
#endif
}
VGPU_HALF unsigned short vgpu_double_bf16(double x) { return vgpu_float_bf16(vgpu_odd_float(x)); }

struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    VGPU_HALF_MEMBER __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
    VGPU_HALF_MEMBER __nv_bfloat16(float x) : __x(vgpu_float_bf16(x)) {}
    VGPU_HALF_MEMBER __nv_bfloat16(double x) : __x(vgpu_double_bf16(x)) {}
    VGPU_HALF_MEMBER __nv_bfloat16(short x) : __x(vgpu_float_bf16((float)x)) {}
    VGPU_HALF_MEMBER __nv_bfloat16(unsigned short x) : __x(vgpu_float_bf16((float)x)) {}
    VGPU_HALF_MEMBER __nv_bfloat16(int x) : __x(vgpu_double_bf16((double)x)) {}
    VGPU_HALF_MEMBER __nv_bfloat16(unsigned int x) : __x(vgpu_double_bf16((double)x)) {}
    VGPU_HALF_MEMBER __nv_bfloat16(long x) : __x(vgpu_double_bf16(vgpu_rounds_as((long long)x))) {}
    VGPU_HALF_MEMBER __nv_bfloat16(unsigned long x)
        : __x(vgpu_double_bf16(vgpu_rounds_as((unsigned long long)x))) {}
    VGPU_HALF_MEMBER __nv_bfloat16(long long x) : __x(vgpu_double_bf16(vgpu_rounds_as(x))) {}
    VGPU_HALF_MEMBER __nv_bfloat16(unsigned long long x)
        : __x(vgpu_double_bf16(vgpu_rounds_as(x))) {}

    VGPU_HALF_MEMBER operator float() const { return vgpu_bits_float((unsigned int)__x << 16); }
    VGPU_HALF_MEMBER operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
    VGPU_HALF_MEMBER explicit operator bool() const { return (__x & 0x7fffu) != 0; }
    VGPU_HALF_INTEGERS

    VGPU_HALF_MEMBER __nv_bfloat16 &operator=(float x) { return *this = __nv_bfloat16(x); }
    VGPU_HALF_MEMBER __nv_bfloat16 &operator=(double x) { return *this = __nv_bfloat16(x); }
    VGPU_HALF_MEMBER __nv_bfloat16 &operator=(short x) { return *this = __nv_bfloat16(x); }
    VGPU_HALF_MEMBER __nv_bfloat16 &operator=(unsigned short x) { return *this = __nv_bfloat16(x); }
    VGPU_HALF_MEMBER __nv_bfloat16 &operator=(int x) { return *this = __nv_bfloat16(x); }
    VGPU_HALF_MEMBER __nv_bfloat16 &operator=(unsigned int x) { return *this = __nv_bfloat16(x); }
    VGPU_HALF_MEMBER __nv_bfloat16 &operator=(long long x) { return *this = __nv_bfloat16(x); }
    VGPU_HALF_MEMBER __nv_bfloat16 &operator=(unsigned long long x) {
        return *this = __nv_bfloat16(x);
    }
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    VGPU_HALF_MEMBER __nv_bfloat162(const __nv_bfloat16 &low, const __nv_bfloat16 &high)
        : x(low), y(high) {}
    VGPU_HALF_MEMBER __nv_bfloat162(const __nv_bfloat162_raw &raw)
        : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

VGPU_HALF float vgpu_value(const __nv_bfloat16 &h) { return float(h); }
VGPU_HALF void vgpu_round(__nv_bfloat16 *h, float x) { h->__x = vgpu_float_bf16(x); }
VGPU_HALF void vgpu_round(__nv_bfloat16 *h, double x) { h->__x = vgpu_double_bf16(x); }

#define VGPU_H   __nv_bfloat16
#define VGPU_H2  __nv_bfloat162
#define VGPU_FMT "bf16"
#define VGPU_ONE 0x3F80u
#include "vgpu_half_ops.h"

/* ---- floats and doubles ---- */

VGPU_HALF __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
VGPU_HALF __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
VGPU_HALF __nv_bfloat16 __float2bfloat16_rz(float x) {
    return vgpu_directed(__nv_bfloat16(x), float(__nv_bfloat16(x)), x, 'z');
}
VGPU_HALF __nv_bfloat16 __float2bfloat16_ru(float x) {
    return vgpu_directed(__nv_bfloat16(x), float(__nv_bfloat16(x)), x, 'u');
}
VGPU_HALF __nv_bfloat16 __float2bfloat16_rd(float x) {
    return vgpu_directed(__nv_bfloat16(x), float(__nv_bfloat16(x)), x, 'd');
}
VGPU_HALF __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
VGPU_HALF float __bfloat162float(__nv_bfloat16 h) { return float(h); }
VGPU_HALF __nv_bfloat162 __float2bfloat162_rn(float x) {
    return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(x));
}
VGPU_HALF __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
#ifdef __CUDA_ARCH__
    unsigned int bits;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(y), "f"(x));
    return vgpu_pair<__nv_bfloat162>(bits);
#else
    return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
#endif
}
VGPU_HALF __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
VGPU_HALF float2 __bfloat1622float2(__nv_bfloat162 a) {
    return make_float2(float(a.x), float(a.y));
}

/* ---- pairs ---- */

VGPU_HALF __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return __nv_bfloat162(x, y);
}
VGPU_HALF __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
    return __nv_bfloat162(low, high);
}
VGPU_HALF __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
VGPU_HALF __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
VGPU_HALF __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
VGPU_HALF __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
VGPU_HALF __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
VGPU_HALF __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __nv_bfloat162(a.x, b.x);
}
VGPU_HALF __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __nv_bfloat162(a.y, b.y);
}
VGPU_HALF __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }

/* ---- bits and integers ---- */

VGPU_HALF unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
VGPU_HALF short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
VGPU_HALF __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return vgpu_half<__nv_bfloat16>(bits);
}
VGPU_HALF __nv_bfloat16 __short_as_bfloat16(short bits) {
    return vgpu_half<__nv_bfloat16>((unsigned short)bits);
}

VGPU_HALF_TO_INTEGER(bfloat16, __nv_bfloat16)
VGPU_HALF_FROM_INTEGER(bfloat16, __nv_bfloat16)

#endif
