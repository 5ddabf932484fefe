/*
 * cuda_fp8.h: numbers of 8 bits: __nv_fp8_e4m3 (4 bits of exponent, 3 of fraction, no infinity) and
 * __nv_fp8_e5m2 (5 and 2), their pairs and fours, and all conversions, on the host as well. There
 * is no arithmetic, as in CUDA: values are converted to half or float and back.
 *
 *     e4m3   s eeee fff    448 is the largest, 2^-9 the smallest; s 1111 111 is NaN
 *     e5m2   s eeeee ff    57344 is the largest, 2^-16 the smallest; the top of a half
 *
 * A conversion rounds once, to nearest even. Beyond the largest number __NV_SATFINITE gives that,
 * infinities included; __NV_NOSAT gives NaN (e4m3) or an infinity (e5m2). Constructors saturate.
 */
#ifndef VGPU_CUDA_FP8_H
#define VGPU_CUDA_FP8_H
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* ---- one number ---- */

VGPU_HALF __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t kind) {
    const bool e4m3 = kind == __NV_E4M3;
    const unsigned int all = vgpu_float_bits(x), u = all & 0x7fffffffu, sign = all >> 24 & 0x80u;
    const unsigned int shift = e4m3 ? 20 : 21, bias = e4m3 ? 120 : 112; /* 127 less its own */
    const unsigned int largest = e4m3 ? 0x7e : 0x7b;
    if (u > 0x7f800000u)
        return 0x7f;
    unsigned int r;
    if (u < (bias + 1) << 23) {
        /* Below the smallest normal number the float adder rounds: the sum's unit is the smallest
         * number there is. */
        const float unit = e4m3 ? 16384.0f : 128.0f;
        r = vgpu_float_bits(vgpu_bits_float(u) + unit) - vgpu_float_bits(unit);
    } else {
        r = (u + (1u << (shift - 1)) - 1 + (u >> shift & 1) - (bias << 23)) >> shift;
    }
    if (r > largest)
        r = saturate == __NV_SATFINITE ? largest : e4m3 ? 0x7f : 0x7c;
    return (__nv_fp8_storage_t)(r | sign);
}
VGPU_HALF __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t kind) {
    if (x != x) { /* it keeps its sign, as a float's does not */
        const unsigned int sign = __builtin_signbit(x) ? 0x80 : 0;
        return (__nv_fp8_storage_t)(sign | (kind == __NV_E4M3 ? 0x7f : 0x7e));
    }
    return __nv_cvt_float_to_fp8(vgpu_odd_float(x), saturate, kind);
}
VGPU_HALF __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(vgpu_f16_float(x.x), saturate, kind);
}
VGPU_HALF __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                         __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(vgpu_bits_float((unsigned int)x.x << 16), saturate, kind);
}
/* Every number of 8 bits is a half. */
VGPU_HALF __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
    const unsigned int sign = (x & 0x80u) << 8, u = x & 0x7fu;
    if (u > (kind == __NV_E4M3 ? 0x7eu : 0x7cu))
        return __half_raw{0x7fff};
    if (kind == __NV_E5M2)
        return __half_raw{(unsigned short)(sign | u << 8)};
    const unsigned int normal = (u << 7) + (8u << 10);
    const unsigned int tiny = vgpu_float_f16((float)u * 0x1p-9f);
    return __half_raw{(unsigned short)(sign | (u < 8 ? tiny : normal))};
}
VGPU_HALF float vgpu_fp8_float(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
    return vgpu_f16_float(__nv_cvt_fp8_to_halfraw(x, kind).x);
}

/* ---- two ---- */

VGPU_HALF __nv_fp8x2_storage_t vgpu_fp8x2(__nv_fp8_storage_t low, __nv_fp8_storage_t high) {
    return (__nv_fp8x2_storage_t)(low | high << 8);
}
VGPU_HALF __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t kind) {
    return vgpu_fp8x2(__nv_cvt_float_to_fp8(x.x, saturate, kind),
                      __nv_cvt_float_to_fp8(x.y, saturate, kind));
}
VGPU_HALF __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind) {
    return vgpu_fp8x2(__nv_cvt_double_to_fp8(x.x, saturate, kind),
                      __nv_cvt_double_to_fp8(x.y, saturate, kind));
}
VGPU_HALF __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t kind) {
    return vgpu_fp8x2(__nv_cvt_halfraw_to_fp8(__half_raw{x.x}, saturate, kind),
                      __nv_cvt_halfraw_to_fp8(__half_raw{x.y}, saturate, kind));
}
VGPU_HALF __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                              __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t kind) {
    return vgpu_fp8x2(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.x}, saturate, kind),
                      __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.y}, saturate, kind));
}
VGPU_HALF __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                 __nv_fp8_interpretation_t kind) {
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}

/* ---- the types ---- */

/* To an integer: towards zero, within its type; NaN is 0, in 64 bits the highest one alone. */
template <class Integer>
VGPU_HALF Integer vgpu_fp8_integer(float x, long long least, long long most) {
    const long long whole = (long long)x; /* at most 57344, or an infinity */
    if (x != x)
        return sizeof(Integer) == 8 ? (Integer)(1ull << 63) : 0;
    if (x <= (float)least)
        return (Integer)least;
    return x >= (float)most ? (Integer)most : (Integer)whole;
}

#define VGPU_FP8_FROM(type, KIND, of, convert)                                                     \
    explicit VGPU_HALF_MEMBER type(of x) : __x(convert(x, __NV_SATFINITE, KIND)) {}
#define VGPU_FP8_FROM_INTEGER(type, KIND, of)                                                      \
    explicit VGPU_HALF_MEMBER type(of x)                                                           \
        : __x(__nv_cvt_float_to_fp8((float)x, __NV_SATFINITE, KIND)) {}
#define VGPU_FP8_TO_INTEGER(KIND, to, least, most)                                                 \
    explicit VGPU_HALF_MEMBER operator to() const {                                                \
        return vgpu_fp8_integer<to>(vgpu_fp8_float(__x, KIND), least, most);                       \
    }

#define VGPU_FP8(type, KIND)                                                                       \
    struct __attribute__((aligned(1))) type {                                                      \
        __nv_fp8_storage_t __x;                                                                    \
                                                                                                   \
        type() = default;                                                                          \
        VGPU_FP8_FROM(type, KIND, __half, __nv_cvt_halfraw_to_fp8)                                 \
        VGPU_FP8_FROM(type, KIND, __nv_bfloat16, __nv_cvt_bfloat16raw_to_fp8)                      \
        VGPU_FP8_FROM(type, KIND, double, __nv_cvt_double_to_fp8)                                  \
        VGPU_FP8_FROM(type, KIND, float, __nv_cvt_float_to_fp8)                                    \
        VGPU_FP8_FROM_INTEGER(type, KIND, short)                                                   \
        VGPU_FP8_FROM_INTEGER(type, KIND, unsigned short)                                          \
        VGPU_FP8_FROM_INTEGER(type, KIND, int)                                                     \
        VGPU_FP8_FROM_INTEGER(type, KIND, unsigned int)                                            \
        VGPU_FP8_FROM_INTEGER(type, KIND, long)                                                    \
        VGPU_FP8_FROM_INTEGER(type, KIND, unsigned long)                                           \
        VGPU_FP8_FROM_INTEGER(type, KIND, long long)                                               \
        VGPU_FP8_FROM_INTEGER(type, KIND, unsigned long long)                                      \
                                                                                                   \
        explicit VGPU_HALF_MEMBER operator __half() const {                                        \
            return __half(__nv_cvt_fp8_to_halfraw(__x, KIND));                                     \
        }                                                                                          \
        explicit VGPU_HALF_MEMBER operator __nv_bfloat16() const {                                 \
            return __nv_bfloat16(vgpu_fp8_float(__x, KIND));                                       \
        }                                                                                          \
        explicit VGPU_HALF_MEMBER operator float() const { return vgpu_fp8_float(__x, KIND); }     \
        explicit VGPU_HALF_MEMBER operator double() const {                                        \
            return (double)vgpu_fp8_float(__x, KIND);                                              \
        }                                                                                          \
        explicit VGPU_HALF_MEMBER operator bool() const { return (__x & 0x7f) != 0; }              \
        VGPU_FP8_TO_INTEGER(KIND, signed char, -128, 127)                                          \
        VGPU_FP8_TO_INTEGER(KIND, unsigned char, 0, 255)                                           \
        VGPU_FP8_TO_INTEGER(KIND, short, -32768, 32767)                                            \
        VGPU_FP8_TO_INTEGER(KIND, unsigned short, 0, 65535)                                        \
        VGPU_FP8_TO_INTEGER(KIND, int, -2147483647 - 1, 2147483647)                                \
        VGPU_FP8_TO_INTEGER(KIND, unsigned int, 0, 4294967295)                                     \
        VGPU_FP8_TO_INTEGER(KIND, long, -9223372036854775807 - 1, 9223372036854775807)             \
        VGPU_FP8_TO_INTEGER(KIND, long long, -9223372036854775807 - 1, 9223372036854775807)        \
        explicit VGPU_HALF_MEMBER operator unsigned long() const {                                 \
            return (unsigned long)operator unsigned long long();                                   \
        }                                                                                          \
        explicit VGPU_HALF_MEMBER operator unsigned long long() const {                            \
            const float x = vgpu_fp8_float(__x, KIND);                                             \
            return x > 1e6f ? ~0ull : x != x ? 1ull << 63 : x <= 0 ? 0 : (unsigned long long)x;    \
        }                                                                                          \
        explicit VGPU_HALF_MEMBER operator char() const { return (char)operator signed char(); }   \
    };

#define VGPU_FP8X2(type, KIND)                                                                     \
    struct __attribute__((aligned(2))) type {                                                      \
        __nv_fp8x2_storage_t __x;                                                                  \
                                                                                                   \
        type() = default;                                                                          \
        explicit VGPU_HALF_MEMBER type(__half2 x)                                                  \
            : __x(__nv_cvt_halfraw2_to_fp8x2(__half2_raw{x.x.__x, x.y.__x}, __NV_SATFINITE,        \
                                             KIND)) {}                                             \
        explicit VGPU_HALF_MEMBER type(__nv_bfloat162 x)                                           \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw{x.x.__x, x.y.__x},             \
                                                 __NV_SATFINITE, KIND)) {}                         \
        VGPU_FP8_FROM(type, KIND, double2, __nv_cvt_double2_to_fp8x2)                              \
        VGPU_FP8_FROM(type, KIND, float2, __nv_cvt_float2_to_fp8x2)                                \
                                                                                                   \
        explicit VGPU_HALF_MEMBER operator __half2() const {                                       \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND));                                 \
        }                                                                                          \
        explicit VGPU_HALF_MEMBER operator float2() const {                                        \
            return make_float2(vgpu_fp8_float((__nv_fp8_storage_t)__x, KIND),                      \
                               vgpu_fp8_float((__nv_fp8_storage_t)(__x >> 8), KIND));              \
        }                                                                                          \
    };

#define VGPU_FP8X4(type, pair, KIND)                                                               \
    struct __attribute__((aligned(4))) type {                                                      \
        __nv_fp8x4_storage_t __x;                                                                  \
                                                                                                   \
        type() = default;                                                                          \
        explicit VGPU_HALF_MEMBER type(__half2 low, __half2 high)                                  \
            : __x(pair(low).__x | (unsigned int)pair(high).__x << 16) {}                           \
        explicit VGPU_HALF_MEMBER type(__nv_bfloat162 low, __nv_bfloat162 high)                    \
            : __x(pair(low).__x | (unsigned int)pair(high).__x << 16) {}                           \
        explicit VGPU_HALF_MEMBER type(double4 x)                                                  \
            : __x(pair(make_double2(x.x, x.y)).__x |                                               \
                  (unsigned int)pair(make_double2(x.z, x.w)).__x << 16) {}                         \
        explicit VGPU_HALF_MEMBER type(float4 x)                                                   \
            : __x(pair(make_float2(x.x, x.y)).__x | (unsigned int)pair(make_float2(x.z, x.w)).__x  \
                                                        << 16) {}                                  \
                                                                                                   \
        explicit VGPU_HALF_MEMBER operator float4() const {                                        \
            return make_float4(vgpu_fp8_float((__nv_fp8_storage_t)__x, KIND),                      \
                               vgpu_fp8_float((__nv_fp8_storage_t)(__x >> 8), KIND),               \
                               vgpu_fp8_float((__nv_fp8_storage_t)(__x >> 16), KIND),              \
                               vgpu_fp8_float((__nv_fp8_storage_t)(__x >> 24), KIND));             \
        }                                                                                          \
    };

VGPU_FP8(__nv_fp8_e4m3, __NV_E4M3)
VGPU_FP8(__nv_fp8_e5m2, __NV_E5M2)
VGPU_FP8X2(__nv_fp8x2_e4m3, __NV_E4M3)
VGPU_FP8X2(__nv_fp8x2_e5m2, __NV_E5M2)
VGPU_FP8X4(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3, __NV_E4M3)
VGPU_FP8X4(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2, __NV_E5M2)

#undef VGPU_FP8
#undef VGPU_FP8X2
#undef VGPU_FP8X4
#undef VGPU_FP8_FROM
#undef VGPU_FP8_FROM_INTEGER
#undef VGPU_FP8_TO_INTEGER

#endif
