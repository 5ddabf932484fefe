/*
 * ops_float.c: float and double arithmetic on whole warps, bit for bit as the hardware rounds.
 *
 * PTX's float32 is IEEE 754 with subnormals unless .ftz asks to flush them; fma is fused; min and
 * max prefer the number over a NaN. Contraction is off in this file (see flags.mk): a product and a
 * sum fuse only where the PTX says fma.
 */
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/predicates.h"

#include <math.h>
#include <string.h>

static inline float *rowf(const warp *w, uint32_t offset) {
    return (float *)(void *)(w->regs + offset);
}
static inline double *rowd(const warp *w, uint32_t offset) {
    return (double *)(void *)(w->regs + offset);
}

static inline float float_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline uint32_t bits_of(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* .ftz: a subnormal becomes a zero of its sign. */
static inline float flush(float x) {
    const uint32_t bits = bits_of(x);
    return (bits & 0x7F800000u) == 0 ? float_of(bits & 0x80000000u) : x;
}

/* A NaN that an operation makes (not moves) is this one on the GPU. */
static inline float canonical(float x) {
    return x != x ? float_of(0x7FFFFFFFu) : x;
}
/* Doubles keep an operand's NaN, made quiet: of several, that of the operand the hardware looks at
 * first. What an invalid operation makes is the last one here. */
static inline double quiet(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits |= x != x ? 1ull << 51 : 0;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline double made_d(double r, double first, double second, double third) {
    const uint64_t bits = 0xFFF8000000000000ull;
    double made;
    memcpy(&made, &bits, sizeof made);
    return first != first     ? quiet(first)
           : second != second ? quiet(second)
           : third != third   ? quiet(third)
           : r == r           ? r
                              : made;
}

/* .ftz of a result: it counts as subnormal when it were so in a float of any exponent, before it is
 * rounded to a subnormal's place. `scaled` is the result 2^64 times as large,
 * where there are none. */
static inline float flush_tiny(float r, float scaled) {
    return __builtin_fabsf(scaled) < 0x1p-62f ? float_of(bits_of(r) & 0x80000000u) : r;
}

#define ROW_f32  rowf
#define ROW_f64  rowd
#define LANE_f32 float
#define LANE_f64 double

#define UNARY(NAME, T, EXPR)                                                                       \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        LANE_##T *d = ROW_##T(w, o->d);                                                            \
        const LANE_##T *a = ROW_##T(w, o->a);                                                      \
        VG_EACH_LANE(w, d, ({                                                                      \
                         LANE_##T x = a[i];                                                        \
                         (EXPR);                                                                   \
                     }));                                                                          \
        return o + 1;                                                                              \
    }
#define BINARY(NAME, T, EXPR)                                                                      \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        LANE_##T *d = ROW_##T(w, o->d);                                                            \
        const LANE_##T *a = ROW_##T(w, o->a), *b = ROW_##T(w, o->b);                               \
        VG_EACH_LANE(w, d, ({                                                                      \
                         LANE_##T x = a[i], y = b[i];                                              \
                         (EXPR);                                                                   \
                     }));                                                                          \
        return o + 1;                                                                              \
    }
#define TERNARY(NAME, T, EXPR)                                                                     \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        LANE_##T *d = ROW_##T(w, o->d);                                                            \
        const LANE_##T *a = ROW_##T(w, o->a), *b = ROW_##T(w, o->b), *c = ROW_##T(w, o->c);        \
        VG_EACH_LANE(w, d, ({                                                                      \
                         LANE_##T x = a[i], y = b[i], z = c[i];                                    \
                         (EXPR);                                                                   \
                     }));                                                                          \
        return o + 1;                                                                              \
    }
#define FLUSHED_BINARY(NAME, EXPR)                                                                 \
    BINARY(NAME##_ftz, f32, ({                                                                     \
               x = flush(x);                                                                       \
               y = flush(y);                                                                       \
               flush(EXPR);                                                                        \
           }))

/* The formatter takes products for pointers. */
/* clang-format off */
BINARY(add, f32, canonical(x + y))
BINARY(sub, f32, canonical(x - y))
BINARY(mul, f32, canonical(x * y))
BINARY(div, f32, canonical(x / y))
TERNARY(fma, f32, canonical(__builtin_fmaf(x, y, z)))
FLUSHED_BINARY(add, canonical(x + y))
FLUSHED_BINARY(sub, canonical(x - y))
FLUSHED_BINARY(mul, flush_tiny(canonical(x * y), x * 0x1p32f * (y * 0x1p32f)))
FLUSHED_BINARY(div, flush_tiny(canonical(x / y), x * 0x1p64f / y))
TERNARY(fma_ftz, f32, ({
    x = flush(x);
    y = flush(y);
    z = flush(z);
    flush(flush_tiny(canonical(__builtin_fmaf(x, y, z)),
                     __builtin_fmaf(x * 0x1p32f, y * 0x1p32f, z * 0x1p64f)));
}))
BINARY(add, f64, made_d(x + y, y, x, 0))
BINARY(sub, f64, made_d(x - y, y, x, 0))
BINARY(mul, f64, made_d(x * y, y, x, 0))
BINARY(div, f64, made_d(x / y, x, y, 0))
TERNARY(fma, f64, made_d(__builtin_fma(x, y, z), y, z, x))
/* clang-format on */

/* -0 < +0 here, and a NaN loses against a number. */
#define MIN(x, y, CANON, SIGN)                                                                     \
    ((x) != (x)   ? CANON(y)                                                                       \
     : (y) != (y) ? (x)                                                                            \
     : (x) < (y)  ? (x)                                                                            \
     : (y) < (x)  ? (y)                                                                            \
     : SIGN(x)    ? (x)                                                                            \
                  : (y))
#define MAX(x, y, CANON, SIGN)                                                                     \
    ((x) != (x)   ? CANON(y)                                                                       \
     : (y) != (y) ? (x)                                                                            \
     : (x) > (y)  ? (x)                                                                            \
     : (y) > (x)  ? (y)                                                                            \
     : SIGN(x)    ? (y)                                                                            \
                  : (x))
BINARY(min, f32, MIN(x, y, canonical, __builtin_signbit))
BINARY(max, f32, MAX(x, y, canonical, __builtin_signbit))
BINARY(min, f64, MIN(x, y, quiet, __builtin_signbit))
BINARY(max, f64, MAX(x, y, quiet, __builtin_signbit))
BINARY(min_nan, f32,
       x != x || y != y ? float_of(0x7FFFFFFFu) : MIN(x, y, canonical, __builtin_signbit))
BINARY(max_nan, f32,
       x != x || y != y ? float_of(0x7FFFFFFFu) : MAX(x, y, canonical, __builtin_signbit))
FLUSHED_BINARY(min, MIN(x, y, canonical, __builtin_signbit))
FLUSHED_BINARY(max, MAX(x, y, canonical, __builtin_signbit))
FLUSHED_BINARY(min_nan,
               x != x || y != y ? float_of(0x7FFFFFFFu) : MIN(x, y, canonical, __builtin_signbit))
FLUSHED_BINARY(max_nan,
               x != x || y != y ? float_of(0x7FFFFFFFu) : MAX(x, y, canonical, __builtin_signbit))
UNARY(flush, f32, flush(x))
UNARY(abs, f32, canonical(float_of(bits_of(x) & 0x7FFFFFFFu)))
UNARY(neg, f32, canonical(float_of(bits_of(x) ^ 0x80000000u)))
UNARY(abs, f64, x != x ? quiet(x) : __builtin_fabs(x))
UNARY(neg, f64, x != x ? quiet(x) : -x)
UNARY(abs_ftz, f32, flush(canonical(float_of(bits_of(x) & 0x7FFFFFFFu))))
UNARY(neg_ftz, f32, flush(canonical(float_of(bits_of(x) ^ 0x80000000u))))
UNARY(sqrt, f32, canonical(__builtin_sqrtf(x)))
UNARY(sqrt, f64, made_d(__builtin_sqrt(x), x, 0, 0))
UNARY(rcp, f32, canonical(1.0f / x))
UNARY(rcp, f64, 1.0 / x)
UNARY(sqrt_ftz, f32, flush(canonical(__builtin_sqrtf(flush(x)))))
UNARY(rcp_ftz, f32, ({
          x = flush(x);
          flush_tiny(flush(canonical(1.0f / x)), 0x1p64f / x);
      }))
BINARY(copysign, f32, float_of((bits_of(y) & 0x7FFFFFFFu) | (bits_of(x) & 0x80000000u)))
BINARY(copysign, f64, __builtin_copysign(y, x))
/* .sat clamps to [0, 1]; NaN becomes 0. */
#define CLAMP(x) ((x) > 0.0f ? ((x) < 1.0f ? (x) : 1.0f) : 0.0f)
BINARY(add_sat, f32, ({
           float r = x + y;
           CLAMP(r);
       }))
BINARY(sub_sat, f32, ({
           float r = x - y;
           CLAMP(r);
       }))
BINARY(mul_sat, f32, ({
           float r = x * y;
           CLAMP(r);
       }))
TERNARY(fma_sat, f32, ({
            float r = __builtin_fmaf(x, y, z);
            CLAMP(r);
        }))

/* setp on floats: ordered comparisons are false, …u ones true, when a NaN is in it. */
#define COMPARE(NAME, T, EXPR)                                                                     \
    static const op *setp_##NAME##_##T(warp *w, const op *o) {                                     \
        const LANE_##T *a = ROW_##T(w, o->a), *b = ROW_##T(w, o->b);                               \
        uint32_t bits = 0;                                                                         \
        VG_LANE_LOOP                                                                               \
        for (int i = 0; i < VG_LANES; i++) {                                                       \
            LANE_##T x = a[i], y = b[i];                                                           \
            bits |= (EXPR) ? 1u << i : 0;                                                          \
        }                                                                                          \
        return set_predicates(w, o, bits);                                                         \
    }
/* The formatter takes < and > for brackets. */
/* clang-format off */
#define COMPARE_ALL(T)                                                                             \
    COMPARE(eq, T, x == y)                                                                         \
    COMPARE(ne, T, x < y || x > y)                                                                 \
    COMPARE(lt, T, x < y)                                                                          \
    COMPARE(le, T, x <= y)                                                                         \
    COMPARE(gt, T, x > y)                                                                          \
    COMPARE(ge, T, x >= y)                                                                         \
    COMPARE(equ, T, !(x < y || x > y))                                                             \
    COMPARE(neu, T, x != y)                                                                        \
    COMPARE(ltu, T, !(x >= y))                                                                     \
    COMPARE(leu, T, !(x > y))                                                                      \
    COMPARE(gtu, T, !(x <= y))                                                                     \
    COMPARE(geu, T, !(x < y))                                                                      \
    COMPARE(num, T, x == x && y == y)                                                              \
    COMPARE(nan, T, x != x || y != y)
/* clang-format on */
COMPARE_ALL(f32)
COMPARE_ALL(f64)

/* Rows of a table. */
/* clang-format off */
#define KEY2(KEY, FN) {KEY ".f32", FN##_f32, NULL}, {KEY ".f64", FN##_f64, NULL}
/* clang-format on */
#define KEY_CMP(NAME) KEY2("setp." #NAME, setp_##NAME)

const op_entry VG_ISA_NAME(vg_ops_float)[] = {
    KEY2("add", add),
    KEY2("sub", sub),
    KEY2("mul", mul),
    KEY2("div", div),
    KEY2("fma", fma),
    KEY2("min", min),
    KEY2("max", max),
    KEY2("abs", abs),
    KEY2("neg", neg),
    KEY2("sqrt", sqrt),
    KEY2("rcp", rcp),
    KEY2("copysign", copysign),
    {"add.ftz.f32", add_ftz_f32, NULL},
    {"sub.ftz.f32", sub_ftz_f32, NULL},
    {"mul.ftz.f32", mul_ftz_f32, NULL},
    {"div.ftz.f32", div_ftz_f32, NULL},
    {"fma.ftz.f32", fma_ftz_f32, NULL},
    {"min.ftz.f32", min_ftz_f32, NULL},
    {"max.ftz.f32", max_ftz_f32, NULL},
    {"abs.ftz.f32", abs_ftz_f32, NULL},
    {"neg.ftz.f32", neg_ftz_f32, NULL},
    {"sqrt.ftz.f32", sqrt_ftz_f32, NULL},
    {"rcp.ftz.f32", rcp_ftz_f32, NULL},
    {"min.NaN.f32", min_nan_f32, NULL},
    {"max.NaN.f32", max_nan_f32, NULL},
    {"min.ftz.NaN.f32", min_nan_ftz_f32, NULL},
    {"max.ftz.NaN.f32", max_nan_ftz_f32, NULL},
    {"flush.f32", flush_f32, NULL},
    {"add.sat.f32", add_sat_f32, NULL},
    {"sub.sat.f32", sub_sat_f32, NULL},
    {"mul.sat.f32", mul_sat_f32, NULL},
    {"fma.sat.f32", fma_sat_f32, NULL},
    KEY_CMP(eq),
    KEY_CMP(ne),
    KEY_CMP(lt),
    KEY_CMP(le),
    KEY_CMP(gt),
    KEY_CMP(ge),
    KEY_CMP(equ),
    KEY_CMP(neu),
    KEY_CMP(ltu),
    KEY_CMP(leu),
    KEY_CMP(gtu),
    KEY_CMP(geu),
    KEY_CMP(num),
    KEY_CMP(nan),
    {NULL, NULL, NULL},
};
