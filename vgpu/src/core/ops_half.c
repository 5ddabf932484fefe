/*
 * ops_half.c: arithmetic of float16 and bfloat16, single and packed in pairs, on whole warps; bit
 * for bit as the hardware rounds (halfs.h). A pair's low half is the low 16 bits of its register.
 *
 * The operations with .ftz, .sat, .relu, .NaN and what is rare go a lane at a time, through
 * half_modified, whose op.aux lower_half.c puts together.
 */
#include "vgpu/src/core/halfs.h"
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/predicates.h"

#define ADD_f16(x, y)    f16_bits((x) + (y))
#define SUB_f16(x, y)    f16_bits((x) - (y))
#define MUL_f16(x, y)    f16_bits((x) * (y))
#define FMA_f16(x, y, z) f16_bits(half_odd_float((double)(x) * (double)(y) + (double)(z)))
/* Sums of bfloat16 are exact where floats are subnormal; products are not. */
#define ADD_bf16(x, y) bf16_bits((x) + (y))
#define SUB_bf16(x, y) bf16_bits((x) - (y))
#define MUL_bf16(x, y) bf16_bits(half_odd_float((double)(x) * (double)(y)))
#define FMA_bf16(x, y, z)                                                                          \
    bf16_bits(half_odd_float(half_odd_fma((double)(x), (double)(y), (double)(z))))
/* -0 < +0; a NaN loses against a number. */
#define LESS(x, y)     ((x) < (y) || ((x) == (y) && __builtin_signbit(x)))
#define MIN_f16(x, y)  f16_bits((x) != (x) ? (y) : (y) != (y) || LESS(x, y) ? (x) : (y))
#define MAX_f16(x, y)  f16_bits((x) != (x) ? (y) : (y) != (y) || LESS(y, x) ? (x) : (y))
#define MIN_bf16(x, y) bf16_bits((x) != (x) ? (y) : (y) != (y) || LESS(x, y) ? (x) : (y))
#define MAX_bf16(x, y) bf16_bits((x) != (x) ? (y) : (y) != (y) || LESS(y, x) ? (x) : (y))

#define BINARY(NAME, OP, T)                                                                        \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        uint32_t *d = row32(w, o->d);                                                              \
        const uint32_t *a = row32(w, o->a), *b = row32(w, o->b);                                   \
        VG_EACH_LANE(w, d, ({                                                                      \
                         float x = T##_value(a[i] & 0xFFFF), y = T##_value(b[i] & 0xFFFF);         \
                         OP##_##T(x, y);                                                           \
                     }));                                                                          \
        return o + 1;                                                                              \
    }                                                                                              \
    static const op *NAME##_##T##x2(warp *w, const op *o) {                                        \
        uint32_t *d = row32(w, o->d);                                                              \
        const uint32_t *a = row32(w, o->a), *b = row32(w, o->b);                                   \
        VG_EACH_LANE(w, d, ({                                                                      \
                         float x = T##_value(a[i] & 0xFFFF), y = T##_value(b[i] & 0xFFFF);         \
                         uint32_t low = OP##_##T(x, y);                                            \
                         x = T##_value(a[i] >> 16);                                                \
                         y = T##_value(b[i] >> 16);                                                \
                         low | (uint32_t)(OP##_##T(x, y)) << 16;                                   \
                     }));                                                                          \
        return o + 1;                                                                              \
    }
#define TERNARY(NAME, OP, T)                                                                       \
    static const op *NAME##_##T(warp *w, const op *o) {                                            \
        uint32_t *d = row32(w, o->d);                                                              \
        const uint32_t *a = row32(w, o->a), *b = row32(w, o->b), *c = row32(w, o->c);              \
        VG_EACH_LANE(w, d, ({                                                                      \
                         float x = T##_value(a[i] & 0xFFFF), y = T##_value(b[i] & 0xFFFF);         \
                         float z = T##_value(c[i] & 0xFFFF);                                       \
                         OP##_##T(x, y, z);                                                        \
                     }));                                                                          \
        return o + 1;                                                                              \
    }                                                                                              \
    static const op *NAME##_##T##x2(warp *w, const op *o) {                                        \
        uint32_t *d = row32(w, o->d);                                                              \
        const uint32_t *a = row32(w, o->a), *b = row32(w, o->b), *c = row32(w, o->c);              \
        VG_EACH_LANE(w, d, ({                                                                      \
                         float x = T##_value(a[i] & 0xFFFF), y = T##_value(b[i] & 0xFFFF);         \
                         float z = T##_value(c[i] & 0xFFFF);                                       \
                         uint32_t low = OP##_##T(x, y, z);                                         \
                         x = T##_value(a[i] >> 16);                                                \
                         y = T##_value(b[i] >> 16);                                                \
                         z = T##_value(c[i] >> 16);                                                \
                         low | (uint32_t)(OP##_##T(x, y, z)) << 16;                                \
                     }));                                                                          \
        return o + 1;                                                                              \
    }

BINARY(add, ADD, f16)
BINARY(sub, SUB, f16)
BINARY(mul, MUL, f16)
BINARY(min, MIN, f16)
BINARY(max, MAX, f16)
TERNARY(fma, FMA, f16)
BINARY(add, ADD, bf16)
BINARY(sub, SUB, bf16)
BINARY(mul, MUL, bf16)
BINARY(min, MIN, bf16)
BINARY(max, MAX, bf16)
TERNARY(fma, FMA, bf16)

/* Signs alone, and the NaN of all operations. */
#define BITS(NAME, EXPR)                                                                           \
    static const op *NAME(warp *w, const op *o) {                                                  \
        uint32_t *d = row32(w, o->d);                                                              \
        const uint32_t *a = row32(w, o->a);                                                        \
        VG_EACH_LANE(w, d, (EXPR));                                                                \
        return o + 1;                                                                              \
    }
#define LOW_SIGN(h, flip, nan)   ((h & 0x7FFFu) > nan ? HALF_NAN : (h & 0xFFFFu) flip)
#define BOTH_SIGNS(h, flip, nan) (LOW_SIGN(h, flip, nan) | LOW_SIGN((h >> 16), flip, nan) << 16)
#define SIGNS(T, NAN)                                                                              \
    BITS(neg_##T, LOW_SIGN(a[i], ^0x8000u, NAN))                                                   \
    BITS(abs_##T, LOW_SIGN(a[i], &0x7FFFu, NAN))                                                   \
    BITS(neg_##T##x2, BOTH_SIGNS(a[i], ^0x8000u, NAN))                                             \
    BITS(abs_##T##x2, BOTH_SIGNS(a[i], &0x7FFFu, NAN))
SIGNS(f16, 0x7C00u)
SIGNS(bf16, 0x7F80u)

/* setp: the low halves into d, and for pairs the high halves into e; aux as in predicates.h. */
#define COMPARE(NAME, T, EXPR)                                                                     \
    static const op *setp_##NAME##_##T(warp *w, const op *o) {                                     \
        const uint32_t *a = row32(w, o->a), *b = row32(w, o->b);                                   \
        uint32_t bits = 0;                                                                         \
        VG_LANE_LOOP                                                                               \
        for (int i = 0; i < VG_LANES; i++) {                                                       \
            const float x = T##_value(a[i] & 0xFFFF), y = T##_value(b[i] & 0xFFFF);                \
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
COMPARE_ALL(f16)
COMPARE_ALL(bf16)

/* The half at bit `imm` (0 or 16) of a register. */
static const op *half_of_pair(warp *w, const op *o) {
    uint32_t *d = row32(w, o->d);
    const uint32_t *a = row32(w, o->a);
    const uint32_t shift = (uint32_t)o->imm;
    VG_EACH_LANE(w, d, a[i] >> shift & 0xFFFFu);
    return o + 1;
}

/* Rows of a table. */
/* clang-format off */
#define KEYS(NAME, T)                                                                              \
    {#NAME "." #T, NAME##_##T, NULL}, {#NAME "." #T "x2", NAME##_##T##x2, NULL}
#define BOTH(NAME) KEYS(NAME, f16), KEYS(NAME, bf16)
#define KEY_CMP(NAME)                                                                              \
    {"setp." #NAME ".f16", setp_##NAME##_f16, NULL},                                               \
    {"setp." #NAME ".bf16", setp_##NAME##_bf16, NULL}
/* clang-format on */

const op_entry VG_ISA_NAME(vg_ops_half)[] = {
    BOTH(add),
    BOTH(sub),
    BOTH(mul),
    BOTH(fma),
    BOTH(min),
    BOTH(max),
    BOTH(neg),
    BOTH(abs),
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
    {"half.of", half_of_pair, NULL},
    {NULL, NULL, NULL},
};
