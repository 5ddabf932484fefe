/*
 * ops_int.c: integer arithmetic, logic, shifts and comparisons on whole warps.
 *
 * 16-bit values sit zero-extended in 32-bit lanes. Where C leaves a result undefined, PTX's own
 * words decide: shifts by the width or more give 0 (or the sign), division by zero all ones.
 */
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/predicates.h"

/* Row pointers of a lane type. A uint32_t row read as int32_t is fine: signed and unsigned variants
 * of one type may alias. */
#define ROW_u16   row32
#define ROW_s16   row32
#define ROW_u32   row32
#define ROW_s32   row32
#define ROW_u64   row64
#define ROW_s64   row64
#define LANE_u16  uint32_t
#define LANE_s16  uint32_t
#define LANE_u32  uint32_t
#define LANE_s32  uint32_t
#define LANE_u64  uint64_t
#define LANE_s64  uint64_t
#define AS_u16(x) ((uint16_t)(x))
#define AS_s16(x) ((int16_t)(uint16_t)(x))
#define AS_u32(x) ((uint32_t)(x))
#define AS_s32(x) ((int32_t)(x))
#define AS_u64(x) ((uint64_t)(x))
#define AS_s64(x) ((int64_t)(x))
/* What is stored back: 16-bit results lose their upper half. */
#define OUT_u16(x) ((uint16_t)(x))
#define OUT_s16(x) ((uint16_t)(x))
#define OUT_u32(x) ((uint32_t)(x))
#define OUT_s32(x) ((uint32_t)(x))
#define OUT_u64(x) ((uint64_t)(x))
#define OUT_s64(x) ((uint64_t)(x))

/* d = EXPR of x (and y, z), all of one type. */
#define UNARY(NAME, T, EXPR)                                                                       \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        LANE_##T *d = ROW_##T(w, o->d);                                                            \
        const LANE_##T *a = ROW_##T(w, o->a);                                                      \
        VG_EACH_LANE(w, d, ({                                                                      \
                         __typeof__(AS_##T(0)) x = AS_##T(a[i]);                                   \
                         OUT_##T(EXPR);                                                            \
                     }));                                                                          \
        return o + 1;                                                                              \
    }
#define BINARY(NAME, T, EXPR)                                                                      \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        LANE_##T *d = ROW_##T(w, o->d);                                                            \
        const LANE_##T *a = ROW_##T(w, o->a), *b = ROW_##T(w, o->b);                               \
        VG_EACH_LANE(w, d, ({                                                                      \
                         __typeof__(AS_##T(0)) x = AS_##T(a[i]), y = AS_##T(b[i]);                 \
                         OUT_##T(EXPR);                                                            \
                     }));                                                                          \
        return o + 1;                                                                              \
    }
#define TERNARY(NAME, T, EXPR)                                                                     \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        LANE_##T *d = ROW_##T(w, o->d);                                                            \
        const LANE_##T *a = ROW_##T(w, o->a), *b = ROW_##T(w, o->b), *c = ROW_##T(w, o->c);        \
        VG_EACH_LANE(w, d, ({                                                                      \
                         __typeof__(AS_##T(0)) x = AS_##T(a[i]), y = AS_##T(b[i]),                 \
                                               z = AS_##T(c[i]);                                   \
                         OUT_##T(EXPR);                                                            \
                     }));                                                                          \
        return o + 1;                                                                              \
    }

/* Sums and products wrap: computed unsigned. */
BINARY(add, u16, x + y)
BINARY(add, u32, x + y)
BINARY(add, u64, x + y)
BINARY(sub, u16, x - y)
BINARY(sub, u32, x - y)
BINARY(sub, u64, x - y)
BINARY(mul_lo, u16, ((uint32_t)x * y))
BINARY(mul_lo, u32, (x * y))
BINARY(mul_lo, u64, (x * y))
TERNARY(mad_lo, u16, ((uint32_t)x * y) + z)
TERNARY(mad_lo, u32, (x * y) + z)
TERNARY(mad_lo, u64, (x * y) + z)
BINARY(mul_hi, u16, ((uint32_t)x * y) >> 16)
BINARY(mul_hi, s16, ((int32_t)x * y) >> 16)
BINARY(mul_hi, u32, ((uint64_t)x * y) >> 32)
BINARY(mul_hi, s32, ((int64_t)x * y) >> 32)
BINARY(mul_hi, u64, (uint64_t)(((unsigned __int128)x * y) >> 64))
BINARY(mul_hi, s64, (uint64_t)(((__int128)x * y) >> 64))
TERNARY(mad_hi, u32, (uint32_t)(((uint64_t)x * y) >> 32) + z)
TERNARY(mad_hi, s32, (uint32_t)(((int64_t)x * y) >> 32) + (uint32_t)z)
BINARY(div, u16, y == 0 ? 0xFFFF : x / y)
BINARY(div, s16, y == 0 ? -1 : x / y)
BINARY(div, u32, y == 0 ? 0xFFFFFFFF : x / y)
BINARY(div, s32, y == 0 ? -1 : y == -1 ? (int32_t)(0u - (uint32_t)x) : x / y)
BINARY(div, u64, y == 0 ? ~0ull : x / y)
BINARY(div, s64, y == 0 ? -1 : y == -1 ? (int64_t)(0ull - (uint64_t)x) : x / y)
BINARY(rem, u16, y == 0 ? UINT16_MAX : x % y)
BINARY(rem, s16, y == 0 ? -1 : x % y)
BINARY(rem, u32, y == 0 ? UINT32_MAX : x % y)
BINARY(rem, s32, y == 0 ? -1 : y == -1 ? 0 : x % y)
BINARY(rem, u64, y == 0 ? UINT64_MAX : x % y)
BINARY(rem, s64, y == 0 ? -1 : y == -1 ? 0 : x % y)

/* Before a division, in observed programs: is any active lane's divisor zero? */
#define DIVISOR(BITS)                                                                              \
    static const op *divisor_b##BITS(warp *w, const op *o) {                                       \
        const uint##BITS##_t *a = row##BITS(w, o->a);                                              \
        uint32_t zeros = 0;                                                                        \
        VG_LANE_LOOP                                                                               \
        for (int i = 0; i < VG_LANES; i++)                                                         \
            zeros |= a[i] == 0 ? 1u << i : 0;                                                      \
        if ((zeros & w->mask) != 0)                                                                \
            vg_tell_divided(w, o, zeros & w->mask);                                                \
        return o + 1;                                                                              \
    }
DIVISOR(32)
DIVISOR(64)

BINARY(min, u16, x < y ? x : y)
BINARY(min, s16, x < y ? x : y)
BINARY(min, u32, x < y ? x : y)
BINARY(min, s32, x < y ? x : y)
BINARY(min, u64, x < y ? x : y)
BINARY(min, s64, x < y ? x : y)
BINARY(max, u16, x > y ? x : y)
BINARY(max, s16, x > y ? x : y)
BINARY(max, u32, x > y ? x : y)
BINARY(max, s32, x > y ? x : y)
BINARY(max, u64, x > y ? x : y)
BINARY(max, s64, x > y ? x : y)
UNARY(abs, s16, x < 0 ? 0u - (uint32_t)x : (uint32_t)x)
UNARY(abs, s32, x < 0 ? 0u - (uint32_t)x : (uint32_t)x)
UNARY(abs, s64, x < 0 ? 0ull - (uint64_t)x : (uint64_t)x)
UNARY(neg, u16, 0u - x)
UNARY(neg, u32, 0u - x)
UNARY(neg, u64, 0ull - x)
UNARY(not, u16, ~x)
UNARY(not, u32, ~x)
UNARY(not, u64, ~x)
UNARY(cnot, u32, x == 0)
UNARY(cnot, u64, x == 0)
BINARY(and, u32, x &y)
BINARY(and, u64, x &y)
BINARY(or, u32, x | y)
BINARY(or, u64, x | y)
BINARY(xor, u32, x ^ y)
BINARY(xor, u64, x ^ y)

/* Shift counts are 32-bit whatever the type. */
#define SHIFT(NAME, T, BITS, EXPR, BEYOND)                                                         \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        LANE_##T *d = ROW_##T(w, o->d);                                                            \
        const LANE_##T *a = ROW_##T(w, o->a);                                                      \
        const uint32_t *b = row32(w, o->b);                                                        \
        VG_EACH_LANE(w, d, ({                                                                      \
                         __typeof__(AS_##T(0)) x = AS_##T(a[i]);                                   \
                         uint32_t n = b[i] & (BITS - 1);                                           \
                         b[i] < BITS ? OUT_##T(EXPR) : OUT_##T(BEYOND);                            \
                     }));                                                                          \
        return o + 1;                                                                              \
    }
SHIFT(shl, u16, 16, (uint32_t)x << n, 0)
SHIFT(shl, u32, 32, x << n, 0)
SHIFT(shl, u64, 64, x << n, 0)
SHIFT(shr, u16, 16, x >> n, 0)
SHIFT(shr, u32, 32, x >> n, 0)
SHIFT(shr, u64, 64, x >> n, 0)
SHIFT(shr, s16, 16, x >> n, x < 0 ? -1 : 0)
SHIFT(shr, s32, 32, x >> n, x < 0 ? -1 : 0)
SHIFT(shr, s64, 64, x >> n, x < 0 ? -1 : 0)

/* Products twice as wide as their factors. */
#define WIDE(T, WT, WLANE, WROW)                                                                   \
    static const op *mul_wide_##T(warp *w, const op *o) {                                          \
        WLANE *d = WROW(w, o->d);                                                                  \
        const LANE_##T *a = ROW_##T(w, o->a), *b = ROW_##T(w, o->b);                               \
        VG_EACH_LANE(w, d, (WLANE)((WT)AS_##T(a[i]) * (WT)AS_##T(b[i])));                          \
        return o + 1;                                                                              \
    }                                                                                              \
    static const op *mad_wide_##T(warp *w, const op *o) {                                          \
        WLANE *d = WROW(w, o->d);                                                                  \
        const LANE_##T *a = ROW_##T(w, o->a), *b = ROW_##T(w, o->b);                               \
        const WLANE *c = WROW(w, o->c);                                                            \
        VG_EACH_LANE(w, d, (WLANE)((WT)AS_##T(a[i]) * (WT)AS_##T(b[i])) + c[i]);                   \
        return o + 1;                                                                              \
    }
WIDE(u16, uint32_t, uint32_t, row32)
WIDE(s16, int32_t, uint32_t, row32)
WIDE(u32, uint64_t, uint64_t, row64)
WIDE(s32, int64_t, uint64_t, row64)

/* setp: a bit a lane. */
#define COMPARE(NAME, T, EXPR)                                                                     \
    static const op *setp_##NAME##_##T(warp *w, const op *o) {                                     \
        const LANE_##T *a = ROW_##T(w, o->a), *b = ROW_##T(w, o->b);                               \
        uint32_t bits = 0;                                                                         \
        VG_LANE_LOOP                                                                               \
        for (int i = 0; i < VG_LANES; i++) {                                                       \
            __typeof__(AS_##T(0)) x = AS_##T(a[i]), y = AS_##T(b[i]);                              \
            bits |= (EXPR) ? 1u << i : 0;                                                          \
        }                                                                                          \
        return set_predicates(w, o, bits);                                                         \
    }
#define COMPARE_EQUAL(T) COMPARE(eq, T, x == y) COMPARE(ne, T, x != y)
#define COMPARE_ORDER(T)                                                                           \
    COMPARE(lt, T, x < y) COMPARE(le, T, x <= y) COMPARE(gt, T, x > y) COMPARE(ge, T, x >= y)
COMPARE_EQUAL(u16)
COMPARE_EQUAL(u32)
COMPARE_EQUAL(u64)
COMPARE_ORDER(u16)
COMPARE_ORDER(s16)
COMPARE_ORDER(u32)
COMPARE_ORDER(s32)
COMPARE_ORDER(u64)
COMPARE_ORDER(s64)

/* Two 16-bit numbers in one register (sm_90): EXPR of x and y for each. */
#define PAIR(NAME, T, HALF, EXPR)                                                                  \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        uint32_t *d = row32(w, o->d);                                                              \
        const uint32_t *a = row32(w, o->a), *b = row32(w, o->b);                                   \
        VG_EACH_LANE(w, d, ({                                                                      \
                         HALF x = (HALF)a[i], y = (HALF)b[i];                                      \
                         const uint32_t low = (uint16_t)(EXPR);                                    \
                         x = (HALF)(a[i] >> 16);                                                   \
                         y = (HALF)(b[i] >> 16);                                                   \
                         low | (uint32_t)(uint16_t)(EXPR) << 16;                                   \
                     }));                                                                          \
        return o + 1;                                                                              \
    }
PAIR(add, u16x2, uint16_t, x + y)
PAIR(min, u16x2, uint16_t, x < y ? x : y)
PAIR(max, u16x2, uint16_t, x > y ? x : y)
PAIR(min, s16x2, int16_t, x < y ? x : y)
PAIR(max, s16x2, int16_t, x > y ? x : y)

/* Keys of the operations that do not care about the sign use the unsigned type's name. */
/* Rows of a table. */
/* clang-format off */
#define KEY3(KEY, FN)                                                                              \
    {KEY ".u16", FN##_u16, NULL}, {KEY ".u32", FN##_u32, NULL}, {KEY ".u64", FN##_u64, NULL}
#define KEY6(KEY, FN)                                                                              \
    KEY3(KEY, FN),                                                                                 \
    {KEY ".s16", FN##_s16, NULL}, {KEY ".s32", FN##_s32, NULL}, {KEY ".s64", FN##_s64, NULL}
/* clang-format on */

const op_entry VG_ISA_NAME(vg_ops_int)[] = {
    KEY3("add", add),
    KEY3("sub", sub),
    KEY3("mul.lo", mul_lo),
    KEY3("mad.lo", mad_lo),
    KEY6("mul.hi", mul_hi),
    {"mad.hi.u32", mad_hi_u32, NULL},
    {"mad.hi.s32", mad_hi_s32, NULL},
    KEY6("div", div),
    KEY6("rem", rem),
    {"divisor.b32", divisor_b32, NULL},
    {"divisor.b64", divisor_b64, NULL},
    KEY6("min", min),
    KEY6("max", max),
    {"add.u16x2", add_u16x2, NULL},
    {"min.u16x2", min_u16x2, NULL},
    {"min.s16x2", min_s16x2, NULL},
    {"max.u16x2", max_u16x2, NULL},
    {"max.s16x2", max_s16x2, NULL},
    {"abs.s16", abs_s16, NULL},
    {"abs.s32", abs_s32, NULL},
    {"abs.s64", abs_s64, NULL},
    KEY3("neg", neg),
    KEY3("not", not ),
    {"cnot.u32", cnot_u32, NULL},
    {"cnot.u64", cnot_u64, NULL},
    {"and.u16", and_u32, NULL},
    {"and.u32", and_u32, NULL},
    {"and.u64", and_u64, NULL},
    {"or.u16", or_u32, NULL},
    {"or.u32", or_u32, NULL},
    {"or.u64", or_u64, NULL},
    {"xor.u16", xor_u32, NULL},
    {"xor.u32", xor_u32, NULL},
    {"xor.u64", xor_u64, NULL},
    KEY3("shl", shl),
    KEY6("shr", shr),
    {"mul.wide.u16", mul_wide_u16, NULL},
    {"mul.wide.s16", mul_wide_s16, NULL},
    {"mul.wide.u32", mul_wide_u32, NULL},
    {"mul.wide.s32", mul_wide_s32, NULL},
    {"mad.wide.u16", mad_wide_u16, NULL},
    {"mad.wide.s16", mad_wide_s16, NULL},
    {"mad.wide.u32", mad_wide_u32, NULL},
    {"mad.wide.s32", mad_wide_s32, NULL},
    KEY3("setp.eq", setp_eq),
    KEY3("setp.ne", setp_ne),
    KEY6("setp.lt", setp_lt),
    KEY6("setp.le", setp_le),
    KEY6("setp.gt", setp_gt),
    KEY6("setp.ge", setp_ge),
    {NULL, NULL, NULL},
};
