/*
 * vgpu_half.h: bits, values and rounding of __half and __nv_bfloat16; part of cuda_fp16.h and
 * cuda_bf16.h, which programs include.
 */
#ifndef VGPU_HALF_H
#define VGPU_HALF_H

#ifndef __cplusplus
#error "half precision is for C++ and .cu files"
#endif

#include "cuda_runtime.h"

#include <math.h>
#include <string.h>

#define VGPU_HALF                                                                                  \
    static __inline__ __host__ __device__ __attribute__((always_inline, unused VGPU_NO_LINES))

#define VGPU_HALF_MEMBER __host__ __device__ __attribute__((always_inline VGPU_NO_LINES))

/* ---- bits and floats ---- */

VGPU_HALF unsigned int vgpu_float_bits(float x) {
    unsigned int u;
    __builtin_memcpy(&u, &x, sizeof u);
    return u;
}
VGPU_HALF float vgpu_bits_float(unsigned int u) {
    float x;
    __builtin_memcpy(&x, &u, sizeof x);
    return x;
}

/* The half of these bits, the bits of a pair, and back. */
template <class Half> VGPU_HALF Half vgpu_half(unsigned int bits) {
    Half r;
    r.__x = (unsigned short)bits;
    return r;
}
template <class H2> VGPU_HALF unsigned int vgpu_bits(const H2 &pair) {
    return pair.x.__x | (unsigned int)pair.y.__x << 16;
}
template <class H2> VGPU_HALF H2 vgpu_pair(unsigned int bits) {
    H2 r;
    r.x.__x = (unsigned short)bits;
    r.y.__x = (unsigned short)(bits >> 16);
    return r;
}

/* ---- the host's arithmetic ---- */

/* The float next to d whose last bit is 1, or d:
 * rounded once more, it gives what d would have given. */
VGPU_HALF float vgpu_odd_float(double d) {
    const float r = (float)d;
    const double left = d - (double)r;
    const unsigned int u = vgpu_float_bits(r);
    if (!(left < 0 || left > 0) || (u & 1) != 0)
        return r;
    return vgpu_bits_float((left > 0) == (d > 0) ? u + 1 : u - 1);
}
/* x * y + z rounded to odd; the product is exact. */
VGPU_HALF double vgpu_odd_fma(float x, float y, float z) {
    const double p = (double)x * (double)y, s = p + (double)z;
    const double back = s - p, left = (p - (s - back)) + ((double)z - back);
    unsigned long long u;
    __builtin_memcpy(&u, &s, sizeof u);
    if ((left < 0 || left > 0) && (u & 1) == 0)
        u = (left > 0) == (s > 0) ? u + 1 : u - 1;
    double r;
    __builtin_memcpy(&r, &u, sizeof r);
    return r;
}
VGPU_HALF double vgpu_relu(double x) { return x <= 0 ? 0 : x; }
/* -0 is less than +0; a NaN gives way to a number. */
VGPU_HALF float vgpu_lesser(float x, float y) {
    if (x != x)
        return y;
    return y != y || x < y || (x == y && vgpu_float_bits(x) >> 31 != 0) ? x : y;
}
VGPU_HALF float vgpu_greater(float x, float y) {
    if (x != x)
        return y;
    return y != y || x > y || (x == y && vgpu_float_bits(x) >> 31 == 0) ? x : y;
}

/* float16 from a float, to nearest even. */
VGPU_HALF unsigned short vgpu_f16_bits(float x) {
    const unsigned int all = vgpu_float_bits(x), sign = all >> 16 & 0x8000u, u = all & 0x7fffffffu;
    if (u > 0x7f800000u)
        return 0x7fff;
    if (u >= 0x47800000u) /* 65536 */
        return (unsigned short)(sign | 0x7c00u);
    if (u < 0x38800000u) /* 2^-14: the unit of 0.5 + x is a half's smallest */
        return (unsigned short)(sign | (vgpu_float_bits(vgpu_bits_float(u) + 0.5f) - 0x3f000000u));
    return (unsigned short)(sign | ((u + 0xfffu + (u >> 13 & 1) - (112u << 23)) >> 13));
}
VGPU_HALF float vgpu_f16_value(unsigned short h) {
    const unsigned int sign = (h & 0x8000u) << 16, magnitude = (h & 0x7fffu) << 13;
    if ((h & 0x7c00u) == 0x7c00u)
        return vgpu_bits_float(sign | 0x7f800000u | magnitude);
    return vgpu_bits_float(sign | vgpu_float_bits(vgpu_bits_float(magnitude) * 0x1p112f));
}
VGPU_HALF unsigned short vgpu_bf16_bits(float x) {
    const unsigned int u = vgpu_float_bits(x);
    if ((u & 0x7fffffffu) > 0x7f800000u)
        return 0x7fff;
    return (unsigned short)((u + 0x7fffu + (u >> 16 & 1)) >> 16);
}

/* ---- other roundings, on the host and on the device alike ---- */

/* h is f rounded to nearest; moved by one place where the rounding asked for is another. toward:
 * 'z', 'u', 'd'. `value` is h's own. */
template <class Half> VGPU_HALF Half vgpu_directed(Half h, double value, double f, char toward) {
    const unsigned int bits = h.__x;
    const bool too_high = value > f, too_low = value < f;
    const bool down = too_high && (toward == 'd' || (toward == 'z' && f > 0));
    const bool up = too_low && (toward == 'u' || (toward == 'z' && f < 0));
    if (!down && !up)
        return h;
    if ((bits & 0x7fffu) == 0) /* a zero: the smallest number on the other side */
        return vgpu_half<Half>(down ? 0x8001u : 0x0001u);
    const bool grow = down == ((bits & 0x8000u) != 0); /* in magnitude */
    return vgpu_half<Half>(grow ? bits + 1 : bits - 1);
}

/* ---- integers ---- */

/* A double that the types round as they would the integer: what a double cannot hold of it is far
 * below their last bits, and one bit says whether there is any. */
VGPU_HALF double vgpu_rounds_as(unsigned long long x) {
    return (double)(x >> 53 == 0 || (x & 0xfffu) == 0 ? x : (x & ~0xfffull) | 0x800u);
}
VGPU_HALF double vgpu_rounds_as(long long x) {
    return x < 0 ? -vgpu_rounds_as(0 - (unsigned long long)x)
                 : vgpu_rounds_as((unsigned long long)x);
}

/* A value to an integer: what does not fit becomes the nearest that does, a NaN 0 (or, with 64
 * bits, the top bit alone). */
template <class Integer> VGPU_HALF Integer vgpu_to_integer(float x) {
    const Integer top = (Integer)(sizeof(Integer) == 8 ? 1ull << 63 : 0);
    const bool is_signed = (Integer)-1 < (Integer)0;
    const double half = (double)(1ull << (8 * sizeof(Integer) - 1)),
                 width = is_signed ? half : 2 * half;
    if (x != x)
        return top;
    if ((double)x >= width)
        return (Integer)(is_signed ? (1ull << (8 * sizeof(Integer) - 1)) - 1
                                   : ~0ull >> (64 - 8 * sizeof(Integer)));
    if (is_signed ? (double)x < -width : x <= 0)
        return (Integer)(is_signed ? 1ull << (8 * sizeof(Integer) - 1) : 0);
    return (Integer)x;
}
/* The conversion operators of both types: towards zero, as C++'s casts. Inside the class. */
#define VGPU_HALF_INTEGERS                                                                         \
    VGPU_HALF_MEMBER operator char() const { return vgpu_to_integer<char>(float(*this)); }         \
    VGPU_HALF_MEMBER operator signed char() const {                                                \
        return vgpu_to_integer<signed char>(float(*this));                                         \
    }                                                                                              \
    VGPU_HALF_MEMBER operator unsigned char() const {                                              \
        return vgpu_to_integer<unsigned char>(float(*this));                                       \
    }                                                                                              \
    VGPU_HALF_MEMBER operator short() const { return vgpu_to_integer<short>(float(*this)); }       \
    VGPU_HALF_MEMBER operator unsigned short() const {                                             \
        return vgpu_to_integer<unsigned short>(float(*this));                                      \
    }                                                                                              \
    VGPU_HALF_MEMBER operator int() const { return vgpu_to_integer<int>(float(*this)); }           \
    VGPU_HALF_MEMBER operator unsigned int() const {                                               \
        return vgpu_to_integer<unsigned int>(float(*this));                                        \
    }                                                                                              \
    VGPU_HALF_MEMBER operator long() const { return vgpu_to_integer<long>(float(*this)); }         \
    VGPU_HALF_MEMBER operator unsigned long() const {                                              \
        return vgpu_to_integer<unsigned long>(float(*this));                                       \
    }                                                                                              \
    VGPU_HALF_MEMBER operator long long() const {                                                  \
        return vgpu_to_integer<long long>(float(*this));                                           \
    }                                                                                              \
    VGPU_HALF_MEMBER operator unsigned long long() const {                                         \
        return vgpu_to_integer<unsigned long long>(float(*this));                                  \
    }

/* __half2int_rn … __half2ull_rd */
#define VGPU_HALF_TO_INTEGER_1(half, H, name, I)                                                   \
    VGPU_HALF I __##half##2##name##_rn(H h) { return vgpu_to_integer<I>(rintf(float(h))); }        \
    VGPU_HALF I __##half##2##name##_rz(H h) { return vgpu_to_integer<I>(truncf(float(h))); }       \
    VGPU_HALF I __##half##2##name##_ru(H h) { return vgpu_to_integer<I>(ceilf(float(h))); }        \
    VGPU_HALF I __##half##2##name##_rd(H h) { return vgpu_to_integer<I>(floorf(float(h))); }
#define VGPU_HALF_TO_INTEGER(half, H)                                                              \
    VGPU_HALF signed char __##half##2char_rz(H h) {                                                \
        return vgpu_to_integer<signed char>(float(h));                                             \
    }                                                                                              \
    VGPU_HALF unsigned char __##half##2uchar_rz(H h) {                                             \
        return vgpu_to_integer<unsigned char>(float(h));                                           \
    }                                                                                              \
    VGPU_HALF_TO_INTEGER_1(half, H, short, short)                                                  \
    VGPU_HALF_TO_INTEGER_1(half, H, ushort, unsigned short)                                        \
    VGPU_HALF_TO_INTEGER_1(half, H, int, int)                                                      \
    VGPU_HALF_TO_INTEGER_1(half, H, uint, unsigned int)                                            \
    VGPU_HALF_TO_INTEGER_1(half, H, ll, long long)                                                 \
    VGPU_HALF_TO_INTEGER_1(half, H, ull, unsigned long long)
/* __int2half_rn … __ull2half_rd */
#define VGPU_HALF_FROM_INTEGER_1(half, H, name, I, wide)                                           \
    VGPU_HALF H __##name##2##half##_rn(I x) { return H(x); }                                       \
    VGPU_HALF H __##name##2##half##_rz(I x) {                                                      \
        return vgpu_directed(H(x), float(H(x)), wide, 'z');                                        \
    }                                                                                              \
    VGPU_HALF H __##name##2##half##_ru(I x) {                                                      \
        return vgpu_directed(H(x), float(H(x)), wide, 'u');                                        \
    }                                                                                              \
    VGPU_HALF H __##name##2##half##_rd(I x) { return vgpu_directed(H(x), float(H(x)), wide, 'd'); }
#define VGPU_HALF_FROM_INTEGER(half, H)                                                            \
    VGPU_HALF_FROM_INTEGER_1(half, H, short, short, x)                                             \
    VGPU_HALF_FROM_INTEGER_1(half, H, ushort, unsigned short, x)                                   \
    VGPU_HALF_FROM_INTEGER_1(half, H, int, int, x)                                                 \
    VGPU_HALF_FROM_INTEGER_1(half, H, uint, unsigned int, x)                                       \
    VGPU_HALF_FROM_INTEGER_1(half, H, ll, long long, vgpu_rounds_as(x))                            \
    VGPU_HALF_FROM_INTEGER_1(half, H, ull, unsigned long long, vgpu_rounds_as(x))

#endif
