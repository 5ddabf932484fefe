/*
 * halfs.h: float16 and bfloat16 as bits and as the floats that hold them exactly.
 *
 *     float16    s eeeee ffffffffff          bfloat16   s eeeeeeee fffffff     (the top of a float)
 *
 * A result is computed in float or double, where it is exact or rounded to odd, and rounded to
 * nearest even once, on the way back: never twice. Everything here is free of branches, so that
 * loops over lanes become vector code.
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { HALF_NAN = 0x7FFF }; /* the NaN that operations make, in both types */

static inline float half_float(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline uint32_t half_float_bits(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline float f16_value(uint32_t h) {
    const uint32_t magnitude = (h & 0x7FFFu) << 13;
    /* Exponent and fraction read as a float are 2^112 too small; subnormals come right, too. */
    const uint32_t finite = half_float_bits(half_float(magnitude) * 0x1p112f);
    const uint32_t special = magnitude | 0x7F800000u;
    return half_float(((h & 0x7C00u) == 0x7C00u ? special : finite) | (h & 0x8000u) << 16);
}

/* Rounded to nearest even. */
static inline uint32_t f16_bits(float f) {
    const uint32_t all = half_float_bits(f), sign = all >> 16 & 0x8000u, u = all & 0x7FFFFFFFu;
    /* Below 2^-14 the float adder does the rounding: the sum's unit is a half's smallest. */
    const uint32_t tiny = half_float_bits(half_float(u) + 0.5f) - half_float_bits(0.5f);
    const uint32_t normal = (u + 0xFFFu + (u >> 13 & 1) - (112u << 23)) >> 13;
    const uint32_t large = u > 0x7F800000u ? HALF_NAN : 0x7C00u;
    const uint32_t r = u >= 0x47800000u ? large : u < 0x38800000u ? tiny : normal;
    return u > 0x7F800000u ? HALF_NAN : r | sign;
}

static inline float bf16_value(uint32_t h) {
    return half_float(h << 16);
}
static inline uint32_t bf16_bits(float f) {
    const uint32_t u = half_float_bits(f);
    const uint32_t r = (u + 0x7FFFu + (u >> 16 & 1)) >> 16;
    return (u & 0x7FFFFFFFu) > 0x7F800000u ? HALF_NAN : r;
}

/* The float next to d whose last bit is 1, unless d is a float: rounding it once more, to at most
 * 22 bits, gives what rounding d would have given. */
static inline float half_odd_float(double d) {
    const float r = (float)d;
    const double left = d - (double)r;
    const uint32_t u = half_float_bits(r);
    const uint32_t away = (left > 0) == (d > 0); /* from zero */
    const uint32_t odd = (u & 1) != 0 || !(left < 0 || left > 0) ? u : away ? u + 1 : u - 1;
    return half_float(odd);
}

/* x * y + z, x * y being exact in a double: as a double rounded to odd. */
static inline double half_odd_fma(double x, double y, double z) {
    const double p = x * y, s = p + z;
    const double back = s - p, left = (p - (s - back)) + (z - back); /* Knuth's two-sum */
    uint64_t u;
    memcpy(&u, &s, sizeof u);
    const uint64_t away = (left > 0) == (s > 0);
    u = (u & 1) != 0 || !(left < 0 || left > 0) ? u : away ? u + 1 : u - 1;
    double r;
    memcpy(&r, &u, sizeof r);
    return r;
}
