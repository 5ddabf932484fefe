/*
 * ops_half_lane.c: halves a lane at a time: what has modifiers, comparisons into registers, the
 * approximate functions. See ops_half.h for op.aux.
 */
#include "vgpu/src/core/halfs.h"
#include "vgpu/src/core/ops_half.h"
#include "vgpu/src/core/optable.h"

#include <stddef.h>

const char *const half_comparisons[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ", "neu",
                                        "ltu", "leu", "gtu", "geu", "num", "nan", NULL};

static bool is_bfloat(const op *o) {
    return (o->aux & HALF_BFLOAT) != 0;
}

/* .ftz: a subnormal becomes a zero of its sign. */
static uint32_t flushed(const op *o, uint32_t h) {
    const uint32_t exponent = is_bfloat(o) ? 0x7F80u : 0x7C00u;
    return (o->aux & HALF_FTZ) != 0 && (h & exponent) == 0 ? h & 0x8000u : h;
}

static double value(const op *o, uint32_t h) {
    return (double)(is_bfloat(o) ? bf16_value(h) : f16_value(h));
}

static uint32_t rounded(const op *o, double exact) {
    const float f = half_odd_float(exact);
    return is_bfloat(o) ? bf16_bits(f) : f16_bits(f);
}

static double lesser(double x, double y) {
    return x < y || (x == y && signbit(x)) ? x : y;
}

static double min_max(const op *o, double x, double y) {
    const double sign = signbit(x) != signbit(y) ? -1.0 : 1.0;
    if ((o->aux & HALF_XORSIGN) != 0) {
        x = fabs(x);
        y = fabs(y);
    }
    double r;
    if (isnan(x) || isnan(y)) {
        r = isnan(x) && ((o->aux & HALF_KEEP_NAN) != 0 || isnan(y)) ? x
            : isnan(x)                                              ? y
            : (o->aux & HALF_KEEP_NAN) != 0                         ? y
                                                                    : x;
    } else {
        const double least = lesser(x, y);
        const bool x_is_least = least == x && signbit(least) == signbit(x);
        r = (o->aux & HALF_OPERATION) == HALF_MIN ? least : x_is_least ? y : x;
    }
    return (o->aux & HALF_XORSIGN) != 0 ? copysign(r, sign) : r;
}

static uint32_t arithmetic(const op *o, uint32_t a, uint32_t b, uint32_t c) {
    const double x = value(o, flushed(o, a)), y = value(o, flushed(o, b)),
                 z = value(o, flushed(o, c));
    double r;
    switch (o->aux & HALF_OPERATION) {
    case HALF_ADD: r = half_odd_fma(x, 1.0, y); break;
    case HALF_SUB: r = half_odd_fma(x, 1.0, -y); break;
    case HALF_MUL: r = x * y; break;
    case HALF_FMA: r = half_odd_fma(x, y, z); break;
    case HALF_MIN:
    case HALF_MAX: r = min_max(o, x, y); break;
    case HALF_ABS: return isnan(x) ? HALF_NAN : flushed(o, a) & 0x7FFFu;
    case HALF_NEG: return isnan(x) ? HALF_NAN : flushed(o, a) ^ 0x8000u;
    case HALF_EX2: r = exp2(x); break;
    default: r = tanh(x);
    }
    if ((o->aux & HALF_SAT) != 0)
        r = r > 0 ? (r < 1 ? r : 1) : 0;
    if ((o->aux & HALF_RELU) != 0 && r <= 0)
        r = 0;
    /* Seen before it is rounded as a subnormal: 16 times as large, results have none. */
    const bool tiny =
        (o->aux & HALF_FTZ) != 0 && !is_bfloat(o) && (rounded(o, r * 16) & 0x7FFFu) < 0x1400u;
    const uint32_t bits = rounded(o, r);
    return tiny ? bits & 0x8000u : flushed(o, bits);
}

static uint64_t half_modified(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    const uint32_t x = (uint32_t)a, y = (uint32_t)b, z = (uint32_t)c;
    const uint32_t low = arithmetic(o, x & 0xFFFF, y & 0xFFFF, z & 0xFFFF);
    return (o->aux & HALF_PAIR) == 0 ? low : low | arithmetic(o, x >> 16, y >> 16, z >> 16) << 16;
}

static bool compare(const op *o, uint32_t a, uint32_t b) {
    const double x = value(o, flushed(o, a)), y = value(o, flushed(o, b));
    const bool nan = isnan(x) || isnan(y);
    const uint32_t which = o->aux & HALF_OPERATION;
    switch (which < 6 ? which : which - 6) {
    case 0: /* eq, equ */ return which < 6 ? x == y : nan || x == y;
    case 1: return which < 6 ? !nan && x != y : nan || x != y;
    case 2: return which < 6 ? x < y : nan || x < y;
    case 3: return which < 6 ? x <= y : nan || x <= y;
    case 4: return which < 6 ? x > y : nan || x > y;
    case 5: return which < 6 ? x >= y : nan || x >= y;
    case 6: return !nan;
    default: return nan;
    }
}

/* set: 1.0, or all ones, where the comparison holds */
static uint64_t half_set(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    const uint32_t x = (uint32_t)a, y = (uint32_t)b;
    const uint32_t yes = (o->aux & HALF_MASK) != 0 ? 0xFFFFu : is_bfloat(o) ? 0x3F80u : 0x3C00u;
    const uint32_t low = compare(o, x & 0xFFFF, y & 0xFFFF) ? yes : 0;
    if ((o->aux & HALF_WHOLE) != 0)
        return low == 0 ? 0 : (o->aux & HALF_MASK) != 0 ? 0xFFFFFFFFu : 0x3F800000u;
    return (o->aux & HALF_PAIR) == 0 ? low : low | (compare(o, x >> 16, y >> 16) ? yes : 0) << 16;
}

const op_entry vg_ops_half_lane[] = {
    {"half.modified", NULL, half_modified},
    {"half.set", NULL, half_set},
    {NULL, NULL, NULL},
};
