/*
 * ops_float_lane.c: floats, a lane at a time: special functions, and arithmetic that does not round
 * to nearest (see ops_lane.h).
 */
#include "vgpu/src/core/lane_bits.h"
#include "vgpu/src/core/ops_lane.h"
#include "vgpu/src/core/optable.h"

#include <math.h>
#include <stddef.h>

#define FLOAT_FN(NAME, EXPR)                                                                       \
    static uint64_t NAME(const op *o, uint64_t a, uint64_t b, uint64_t c) {                        \
        (void)o, (void)b, (void)c;                                                                 \
        const float x = as_float(a);                                                               \
        return float_bits(EXPR);                                                                   \
    }
FLOAT_FN(rsqrt_f32, (float)(1.0 / sqrt((double)x)))
FLOAT_FN(sin_f32, sinf(x))
FLOAT_FN(cos_f32, cosf(x))
FLOAT_FN(lg2_f32, log2f(x))
FLOAT_FN(ex2_f32, exp2f(x))
FLOAT_FN(tanh_f32, tanhf(x))
static uint64_t rsqrt_f64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)b, (void)c;
    return double_bits(1.0 / sqrt(as_double(a)));
}

static uint64_t testp_f32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const int kind = fpclassify(as_float(a));
    switch (o->aux) {
    case TESTP_FINITE: return kind != FP_NAN && kind != FP_INFINITE;
    case TESTP_INFINITE: return kind == FP_INFINITE;
    case TESTP_NUMBER: return kind != FP_NAN;
    case TESTP_NOTANUMBER: return kind == FP_NAN;
    case TESTP_NORMAL:
        return kind == FP_NORMAL || kind == FP_ZERO; /* zeros count as normal, says the manual */
    default: return kind == FP_SUBNORMAL;
    }
}
static uint64_t testp_f64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const double x = as_double(a);
    const float same_class = isnan(x)                        ? NAN
                             : isinf(x)                      ? INFINITY
                             : fpclassify(x) == FP_SUBNORMAL ? 1e-44f
                             : x == 0                        ? 0.0f
                                                             : 1.0f;
    return testp_f32(o, float_bits(same_class), 0, 0);
}

/* Arithmetic with a rounding other than to nearest, or with several modifiers at once: the C
 * library's rounding mode, set for one operation. volatile keeps the compiler from computing
 * outside the mode. */
static float operand_f32(const op *o, uint64_t bits) {
    return as_float((o->aux & ROUND_FTZ) != 0 ? flush_bits(bits) : bits);
}
/* scaled: the result 2^64 times as large; whether it is subnormal is seen before it is rounded as
 * one. */
static uint64_t result_f32(const op *o, float r, float scaled, double x, double y, double z) {
    (void)x, (void)y, (void)z;
    const uint64_t bits = float_bits((o->aux & ROUND_SAT) == 0 ? r : r > 0 ? (r < 1 ? r : 1) : 0);
    return (o->aux & ROUND_FTZ) == 0  ? bits
           : fabsf(scaled) < 0x1p-62f ? bits & 0x80000000u
                                      : flush_bits(bits);
}
static double operand_f64(const op *o, uint64_t bits) {
    (void)o;
    return as_double(bits);
}
/* x, y, z: the operands in the order in which the hardware looks for a NaN. */
static uint64_t result_f64(const op *o, double r, double scaled, double x, double y, double z) {
    (void)o, (void)scaled;
    return quiet_bits(isnan(x) ? x : isnan(y) ? y : isnan(z) ? z : r);
}

#define ROUNDED(NAME, T, WIDTH, FIRST, SECOND, THIRD, EXPR, SCALED)                                \
    static uint64_t NAME(const op *o, uint64_t a, uint64_t b, uint64_t c) {                        \
        const int before = fegetround();                                                           \
        volatile T x = operand_##WIDTH(o, a), y = operand_##WIDTH(o, b),                           \
                   z = operand_##WIDTH(o, c);                                                      \
        (void)y, (void)z;                                                                          \
        fesetround(round_modes[o->aux & 3]);                                                       \
        volatile T r = (EXPR), scaled = (SCALED);                                                  \
        fesetround(before);                                                                        \
        return result_##WIDTH(o, r, scaled, FIRST, SECOND, THIRD);                                 \
    }
ROUNDED(add_r32, float, f32, 0, 0, 0, x + y, 1)
ROUNDED(sub_r32, float, f32, 0, 0, 0, x - y, 1)
ROUNDED(mul_r32, float, f32, 0, 0, 0, (x * y), x * 0x1p32f * (y * 0x1p32f))
ROUNDED(div_r32, float, f32, 0, 0, 0, x / y, x * 0x1p64f / y)
ROUNDED(fma_r32, float, f32, 0, 0, 0, fmaf(x, y, z), fmaf(x * 0x1p32f, y * 0x1p32f, z * 0x1p64f))
ROUNDED(rcp_r32, float, f32, 0, 0, 0, 1.0f / x, 0x1p64f / x)
ROUNDED(sqrt_r32, float, f32, 0, 0, 0, sqrtf(x), 1)
ROUNDED(add_r64, double, f64, y, x, 0, x + y, 0)
ROUNDED(sub_r64, double, f64, y, x, 0, x - y, 0)
ROUNDED(mul_r64, double, f64, y, x, 0, (x * y), 0)
ROUNDED(div_r64, double, f64, x, y, 0, x / y, 0)
ROUNDED(fma_r64, double, f64, y, z, x, fma(x, y, z), 0)
ROUNDED(rcp_r64, double, f64, x, 0, 0, 1.0 / x, 0)
ROUNDED(sqrt_r64, double, f64, x, 0, 0, sqrt(x), 0)

const op_entry vg_ops_float_lane[] = {
    {"rsqrt.f32", NULL, rsqrt_f32},     {"rsqrt.f64", NULL, rsqrt_f64},
    {"sin.f32", NULL, sin_f32},         {"cos.f32", NULL, cos_f32},
    {"lg2.f32", NULL, lg2_f32},         {"ex2.f32", NULL, ex2_f32},
    {"tanh.f32", NULL, tanh_f32},       {"testp.f32", NULL, testp_f32},
    {"testp.f64", NULL, testp_f64},     {"add.round.f32", NULL, add_r32},
    {"sub.round.f32", NULL, sub_r32},   {"mul.round.f32", NULL, mul_r32},
    {"div.round.f32", NULL, div_r32},   {"fma.round.f32", NULL, fma_r32},
    {"rcp.round.f32", NULL, rcp_r32},   {"sqrt.round.f32", NULL, sqrt_r32},
    {"add.round.f64", NULL, add_r64},   {"sub.round.f64", NULL, sub_r64},
    {"mul.round.f64", NULL, mul_r64},   {"div.round.f64", NULL, div_r64},
    {"fma.round.f64", NULL, fma_r64},   {"rcp.round.f64", NULL, rcp_r64},
    {"sqrt.round.f64", NULL, sqrt_r64}, {NULL, NULL, NULL},
};
