/*
 * ops_move.c: copies, selections and the common conversions on whole warps. Every conversion that
 * is not here is in ops_convert.c, a lane at a time.
 */
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/predicates.h"

#include <string.h>

static const op *mov_b32(warp *w, const op *o) {
    uint32_t *d = row32(w, o->d);
    const uint32_t *a = row32(w, o->a);
    VG_EACH_LANE(w, d, a[i]);
    return o + 1;
}

static const op *mov_b64(warp *w, const op *o) {
    uint64_t *d = row64(w, o->d);
    const uint64_t *a = row64(w, o->a);
    VG_EACH_LANE(w, d, a[i]);
    return o + 1;
}

/* selp: aux 1 when the predicate is negated */
static inline uint32_t chosen(const warp *w, const op *o) {
    return *pred(w, o->c) ^ (o->aux != 0 ? VG_ALL_LANES : 0);
}

static const op *selp_b32(warp *w, const op *o) {
    uint32_t *d = row32(w, o->d);
    const uint32_t *a = row32(w, o->a), *b = row32(w, o->b);
    const uint32_t p = chosen(w, o);
    VG_EACH_LANE(w, d, (p >> i & 1) ? a[i] : b[i]);
    return o + 1;
}

static const op *selp_b64(warp *w, const op *o) {
    uint64_t *d = row64(w, o->d);
    const uint64_t *a = row64(w, o->a), *b = row64(w, o->b);
    const uint32_t p = chosen(w, o);
    VG_EACH_LANE(w, d, (p >> i & 1) ? a[i] : b[i]);
    return o + 1;
}

/* Predicates as values: aux bit 0 negates a, bit 1 negates b. */
static inline uint32_t source_a(const warp *w, const op *o) {
    return *pred(w, o->a) ^ ((o->aux & 1) != 0 ? VG_ALL_LANES : 0);
}
static inline uint32_t source_b(const warp *w, const op *o) {
    return *pred(w, o->b) ^ ((o->aux & 2) != 0 ? VG_ALL_LANES : 0);
}
static const op *and_pred(warp *w, const op *o) {
    put_predicate(w, o->d, source_a(w, o) & source_b(w, o));
    return o + 1;
}
static const op *or_pred(warp *w, const op *o) {
    put_predicate(w, o->d, source_a(w, o) | source_b(w, o));
    return o + 1;
}
static const op *xor_pred(warp *w, const op *o) {
    put_predicate(w, o->d, source_a(w, o) ^ source_b(w, o));
    return o + 1;
}
static const op *not_pred(warp *w, const op *o) {
    put_predicate(w, o->d, ~source_a(w, o));
    return o + 1;
}
static const op *mov_pred(warp *w, const op *o) {
    put_predicate(w, o->d, source_a(w, o));
    return o + 1;
}

#define CONVERT(NAME, DST, DROW, SRC, SROW, EXPR)                                                  \
    static const op *NAME(warp *w, const op *o) {                                                  \
        DST *d = DROW(w, o->d);                                                                    \
        const SRC *a = SROW(w, o->a);                                                              \
        VG_EACH_LANE(w, d, EXPR);                                                                  \
        return o + 1;                                                                              \
    }
static inline float *rowf(const warp *w, uint32_t offset) {
    return (float *)(void *)(w->regs + offset);
}
static inline double *rowd(const warp *w, uint32_t offset) {
    return (double *)(void *)(w->regs + offset);
}
CONVERT(widen_u32, uint64_t, row64, uint32_t, row32, a[i])
CONVERT(widen_s32, uint64_t, row64, uint32_t, row32, (uint64_t)(int64_t)(int32_t)a[i])
CONVERT(narrow_u32, uint32_t, row32, uint64_t, row64, (uint32_t)a[i])
CONVERT(narrow_u16, uint32_t, row32, uint32_t, row32, (uint16_t)a[i])
CONVERT(extend_s16, uint32_t, row32, uint32_t, row32, (uint32_t)(int32_t)(int16_t)a[i])
CONVERT(float_of_s32, float, rowf, uint32_t, row32, (float)(int32_t)a[i])
CONVERT(float_of_u32, float, rowf, uint32_t, row32, (float)a[i])
CONVERT(double_of_s32, double, rowd, uint32_t, row32, (double)(int32_t)a[i])
CONVERT(double_of_float, double, rowd, float, rowf, (double)a[i])
/* A NaN keeps its sign and the upper bits of its payload, as the processor has it, too. */
CONVERT(float_of_double, float, rowf, double, rowd, (float)a[i])

/* Generic addresses of a segment's bytes; imm: the window. */
CONVERT(to_window, uint64_t, row64, uint64_t, row64, a[i] + (uint64_t)o->imm)
CONVERT(from_window, uint64_t, row64, uint64_t, row64, a[i] - (uint64_t)o->imm)

/* {lo, hi} of a 64-bit register and back; a: low half, b: high half. */
static const op *pack_b64(warp *w, const op *o) {
    uint64_t *d = row64(w, o->d);
    const uint32_t *a = row32(w, o->a), *b = row32(w, o->b);
    VG_EACH_LANE(w, d, (uint64_t)b[i] << 32 | a[i]);
    return o + 1;
}
static const op *pack_b32(warp *w, const op *o) {
    uint32_t *d = row32(w, o->d);
    const uint32_t *a = row32(w, o->a), *b = row32(w, o->b);
    VG_EACH_LANE(w, d, b[i] << 16 | (a[i] & 0xFFFF));
    return o + 1;
}
/* Rows 0 are halves nobody wants. */
static const op *unpack_b64(warp *w, const op *o) {
    const uint64_t *a = row64(w, o->a);
    uint32_t *low = row32(w, o->d), *high = row32(w, o->e);
    if (o->d != 0)
        VG_EACH_LANE(w, low, (uint32_t)a[i]);
    if (o->e != 0)
        VG_EACH_LANE(w, high, (uint32_t)(a[i] >> 32));
    return o + 1;
}
static const op *unpack_b32(warp *w, const op *o) {
    uint32_t whole[VG_LANES]; /* the source may be one of the destinations */
    const uint32_t *a = row32(w, o->a);
    for (int i = 0; i < VG_LANES; i++)
        whole[i] = a[i];
    uint32_t *low = row32(w, o->d), *high = row32(w, o->e);
    if (o->d != 0)
        VG_EACH_LANE(w, low, whole[i] & 0xFFFF);
    if (o->e != 0)
        VG_EACH_LANE(w, high, whole[i] >> 16);
    return o + 1;
}

const op_entry VG_ISA_NAME(vg_ops_move)[] = {
    {"mov.b16", mov_b32, NULL},
    {"mov.b32", mov_b32, NULL},
    {"mov.b64", mov_b64, NULL},
    {"selp.b16", selp_b32, NULL},
    {"selp.b32", selp_b32, NULL},
    {"selp.b64", selp_b64, NULL},
    {"and.pred", and_pred, NULL},
    {"or.pred", or_pred, NULL},
    {"xor.pred", xor_pred, NULL},
    {"not.pred", not_pred, NULL},
    {"mov.pred", mov_pred, NULL},
    {"cvt.u64.u32", widen_u32, NULL},
    {"cvt.s64.u32", widen_u32, NULL},
    {"cvt.s64.s32", widen_s32, NULL},
    {"cvt.u64.s32", widen_s32, NULL},
    {"cvt.u32.u64", narrow_u32, NULL},
    {"cvt.s32.s64", narrow_u32, NULL},
    {"cvt.u32.s64", narrow_u32, NULL},
    {"cvt.s32.u64", narrow_u32, NULL},
    {"cvt.u16.u32", narrow_u16, NULL},
    {"cvt.u32.u16", narrow_u16, NULL},
    {"cvt.s32.s16", extend_s16, NULL},
    {"cvt.u32.u32", mov_b32, NULL},
    {"cvt.u64.u64", mov_b64, NULL},
    {"cvt.s32.s32", mov_b32, NULL},
    {"cvt.rn.f32.s32", float_of_s32, NULL},
    {"cvt.rn.f32.u32", float_of_u32, NULL},
    {"cvt.rn.f64.s32", double_of_s32, NULL},
    {"cvt.f64.f32", double_of_float, NULL},
    {"cvt.rn.f32.f64", float_of_double, NULL},
    {"window.to", to_window, NULL},
    {"window.from", from_window, NULL},
    {"pack.b64", pack_b64, NULL},
    {"pack.b32", pack_b32, NULL},
    {"unpack.b64", unpack_b64, NULL},
    {"unpack.b32", unpack_b32, NULL},
    {NULL, NULL, NULL},
};
