/*
 * ops_convert.c: conversions between all types, a lane at a time. op.aux is what CVT_MAKE of
 * ops_lane.h put together.
 */
#include "vgpu/src/core/lane_bits.h"
#include "vgpu/src/core/ops_lane.h"
#include "vgpu/src/core/optable.h"

#include <math.h>
#include <stddef.h>

/* float16 and bfloat16 as the double that holds them exactly, and back rounded to nearest even. */
static double half_value(uint16_t h) {
    const int exponent = h >> 10 & 31;
    const int fraction = h & 1023;
    double v = exponent == 31
                   ? (fraction != 0 ? as_double(0x7FF8000000000000ull | (uint64_t)fraction << 42)
                                    : (double)INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, exponent - 25);
    return (h & 0x8000) != 0 ? -v : v;
}

/* v rounded to `bits` significant bits with exponents from emin on,
 * in the current rounding mode. */
static double round_to(double v, int bits, int emin) {
    if (v == 0 || !isfinite(v))
        return v;
    int e;
    frexp(v, &e); /* |v| in [2^(e-1), 2^e) */
    const int unit = (e - bits > emin - bits + 1 ? e - bits : emin - bits + 1);
    return ldexp(nearbyint(ldexp(v, -unit)), unit);
}

static uint16_t half_bits(double v) {
    const uint16_t sign = signbit(v) ? 0x8000 : 0;
    if (isnan(v))
        return 0x7FFF;
    if (isinf(v))
        return sign | 0x7C00;
    v = fabs(round_to(v, 11, -14));
    if (v > 65504.0) {
        const int mode = fegetround();
        const bool inward = mode == FE_TOWARDZERO || mode == (sign != 0 ? FE_UPWARD : FE_DOWNWARD);
        return sign | (inward ? 0x7BFF : 0x7C00);
    }
    if (v < ldexp(1, -14))
        return sign | (uint16_t)ldexp(v, 24);
    int e;
    const double f = frexp(v, &e); /* [0.5, 1) */
    return sign | (uint16_t)((e + 14) << 10) | ((uint16_t)ldexp(f, 11) & 1023);
}

static uint16_t bfloat_bits(double v) {
    if (isnan(v))
        return 0x7FFF;
    /* Now exact in a float, or overflows to infinity. */
    const float f = (float)round_to(v, 8, -126);
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return (uint16_t)(b >> 16);
}

static double source_value(enum ptx_type type, uint64_t a) {
    switch (type) {
    case PT_F16: return half_value((uint16_t)a);
    case PT_BF16: return as_float((a & 0xFFFF) << 16);
    case PT_F32: return as_float(a);
    default: return as_double(a);
    }
}

static bool is_signed_type(enum ptx_type t) {
    return t >= PT_S8 && t <= PT_S64;
}
static bool is_float_type(enum ptx_type t) {
    return t == PT_F16 || t == PT_BF16 || t == PT_F32 || t == PT_F64;
}

/* The integer a, read as its type. */
static int64_t signed_value(enum ptx_type type, uint64_t a) {
    switch (ptx_type_size(type)) {
    case 1: return (int8_t)a;
    case 2: return (int16_t)a;
    case 4: return (int32_t)a;
    default: return (int64_t)a;
    }
}
static uint64_t unsigned_value(enum ptx_type type, uint64_t a) {
    const uint32_t size = ptx_type_size(type);
    return size == 8 ? a : a & ((1ull << (8 * size)) - 1);
}

/* An integer of src type clamped into dst's range (.sat), or cut to its width; extended as dst
 * says, for registers that are wider. */
static uint64_t int_to_int(enum ptx_type dst, enum ptx_type src, uint64_t a, bool saturate) {
    const unsigned bits = 8 * ptx_type_size(dst);
    const bool from_signed = is_signed_type(src);
    const uint64_t wide = from_signed ? (uint64_t)signed_value(src, a) : unsigned_value(src, a);
    if (!saturate)
        return is_signed_type(dst) ? (uint64_t)signed_value(dst, wide) : unsigned_value(dst, wide);
    const bool negative = from_signed && (int64_t)wide < 0;
    if (is_signed_type(dst)) {
        const int64_t low = bits == 64 ? INT64_MIN : -(1ll << (bits - 1));
        const uint64_t high = (1ull << (bits - 1)) - 1;
        if (negative)
            return (int64_t)wide < low ? (uint64_t)low : wide;
        return wide > high ? high : wide;
    }
    const uint64_t high = bits == 64 ? ~0ull : (1ull << bits) - 1;
    return negative ? 0 : wide > high ? high : wide;
}

/* A float to an integer: rounded as asked, clamped always, NaN to 0, as on hardware; to the top bit
 * when the integer has 64 bits or the float is a double. */
static uint64_t float_to_int(enum ptx_type dst, enum ptx_type src, double v) {
    const unsigned bits = 8 * ptx_type_size(dst);
    if (isnan(v)) {
        const uint64_t top = bits == 64 || src == PT_F64 ? 1ull << (bits - 1) : 0;
        return is_signed_type(dst) ? (uint64_t)signed_value(dst, top) : top;
    }
    v = nearbyint(v);
    if (is_signed_type(dst)) {
        const double edge = ldexp(1, (int)bits - 1);
        const uint64_t low = 0 - (1ull << (bits - 1)), high = (1ull << (bits - 1)) - 1;
        return v >= edge ? high : v < -edge ? low : (uint64_t)(int64_t)v;
    }
    const double edge = ldexp(1, (int)bits);
    return v >= edge ? (bits == 64 ? ~0ull : (1ull << bits) - 1) : v <= 0 ? 0 : (uint64_t)v;
}

static uint64_t double_to(enum ptx_type dst, double v) {
    switch (dst) {
    case PT_F16: return half_bits(v);
    case PT_BF16: return bfloat_bits(v);
    case PT_F32: {
        volatile double x = v;
        return float_bits((float)x);
    }
    default: return double_bits(v);
    }
}

/* Integers to floats, rounded once: a 64-bit integer does not pass through a double. */
static uint64_t int_to_float(enum ptx_type dst, enum ptx_type src, uint64_t a) {
    const bool is_signed = is_signed_type(src);
    volatile int64_t s = signed_value(src, a);
    volatile uint64_t u = unsigned_value(src, a);
    if (dst == PT_F64) {
        volatile double d = is_signed ? (double)s : (double)u;
        return double_bits(d);
    }
    if (dst == PT_F32) {
        volatile float f = is_signed ? (float)s : (float)u;
        return float_bits(f);
    }
    return double_to(dst, is_signed ? (double)s : (double)u);
}

/* What hardware makes of a NaN: most conversions give the type's own, those through a double keep
 * what fits of the NaN they are given, and those that are a shift keep all of it. */
static uint64_t cvt_nan(enum ptx_type dst, enum ptx_type src, uint64_t a, bool ftz) {
    const float narrowed = (float)source_value(src, a);
    uint32_t bits;
    memcpy(&bits, &narrowed, sizeof bits);
    switch (dst) {
    case PT_F64: return quiet_bits(ftz ? as_double(0x7FFFFFFFE0000000ull) : source_value(src, a));
    case PT_F32:
        return src == PT_F64 ? bits : src == PT_BF16 && !ftz ? (a & 0xFFFF) << 16 : 0x7FFFFFFFu;
    case PT_BF16: return src == PT_F64 ? bits >> 16 : 0x7FFF;
    default: return src == PT_F64 ? 0x7E00 | (a >> 42 & 0x1FF) | (a >> 48 & 0x8000) : 0x7FFF;
    }
}

static uint64_t cvt(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const enum ptx_type dst = (enum ptx_type)CVT_DST(o->aux), src = (enum ptx_type)CVT_SRC(o->aux);
    const bool saturate = (o->aux & CVT_SAT) != 0, ftz = (o->aux & CVT_FTZ) != 0;
    if (!is_float_type(dst) && !is_float_type(src))
        return int_to_int(dst, src, a, saturate);
    if (ftz && src == PT_F32 && dst != PT_F16) /* subnormal floats are far from float16's range */
        a = flush_bits(a);
    if (is_float_type(dst) && is_float_type(src) && isnan(source_value(src, a)) && !saturate) {
        const bool moved = dst == src && ptx_type_size(dst) > 2 && CVT_FLAGS(o->aux) == 0;
        return moved ? a : cvt_nan(dst, src, a, ftz);
    }
    const int before = fegetround();
    fesetround(round_modes[CVT_ROUND(o->aux)]);
    uint64_t r;
    if (!is_float_type(dst)) {
        r = float_to_int(dst, src, source_value(src, a));
    } else if (!is_float_type(src)) {
        r = int_to_float(dst, src, a);
    } else {
        double v = source_value(src, a);
        if ((o->aux & CVT_INTEGRAL) != 0)
            v = nearbyint(v);
        if (saturate)
            v = v > 0 ? (v < 1 ? v : 1) : 0;
        r = double_to(dst, v);
        if (ftz && src == PT_F64) { /* seen before it is rounded as a subnormal: see result_f32 */
            volatile float scaled = (float)(v * 0x1p64);
            r = fabsf(scaled) < 0x1p-62f ? r & 0x80000000u : r;
        }
        if ((o->aux & CVT_RELU) != 0 && signbit(v) && !isnan(v))
            r = 0;
    }
    fesetround(before);
    if (saturate && !is_float_type(src) && is_float_type(dst)) {
        const double v = source_value(dst, r);
        r = double_to(dst, v > 0 ? (v < 1 ? v : 1) : 0);
    }
    return ftz && dst == PT_F32 ? flush_bits(r) : r;
}

/* cvt.rn.f16x2.f32 d, a, b: a becomes the high half */
static uint64_t cvt_pair(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    return cvt(o, a, 0, c) << 16 | cvt(o, b, 0, c);
}

/* To tf32, a float of 10 fraction bits: to nearest, towards zero, or (2) to nearest, ties away. */
static uint64_t cvt_tf32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const uint32_t u = (uint32_t)a, kind = CVT_ROUND(o->aux);
    if ((u & 0x7FFFFFFFu) > 0x7F800000u)
        return kind == 2 ? u & ~0x1FFFu : 0x7FFFE000u;
    const uint32_t up = kind == 1 ? 0 : kind == 2 ? 0x1000u : 0xFFFu + (u >> 13 & 1);
    const uint32_t r = (u & 0x7F800000u) == 0x7F800000u ? u : (u + up) & ~0x1FFFu;
    return (o->aux & CVT_RELU) != 0 && r >> 31 != 0 ? 0 : r;
}

const op_entry vg_ops_convert[] = {
    {"cvt", NULL, cvt},
    {"cvt.pair", NULL, cvt_pair},
    {"cvt.tf32", NULL, cvt_tf32},
    {NULL, NULL, NULL},
};
