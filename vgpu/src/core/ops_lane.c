/*
 * ops_lane.c: the loops over lanes of operations that are rare or don't vectorise, and those that
 * carry a bit from one instruction to the next; see ops_lane.h.
 */
#include "vgpu/src/core/ops_lane.h"
#include "vgpu/src/core/optable.h"

#include <stddef.h>

static uint64_t read_lane(const warp *w, uint32_t row, bool wide, int i) {
    return row == 0 ? 0 : wide ? row64(w, row)[i] : row32(w, row)[i];
}

const op *vg_each_lane(warp *w, const op *o) {
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint64_t r = o->lane(o, read_lane(w, o->a, (o->e & WIDE_A) != 0, i),
                                   read_lane(w, o->b, (o->e & WIDE_B) != 0, i),
                                   read_lane(w, o->c, (o->e & WIDE_C) != 0, i));
        if ((o->e & PRED_D) != 0) {
            uint32_t *p = pred(w, o->d);
            *p = (*p & ~(1u << i)) | (uint32_t)(r & 1) << i;
        } else if ((o->e & WIDE_D) != 0) {
            row64(w, o->d)[i] = r;
        } else {
            row32(w, o->d)[i] = (o->e & HALF_D) != 0 ? (uint16_t)r : (uint32_t)r;
        }
    }
    return o + 1;
}

/* add.cc, addc, sub.cc, subc, mad.lo.cc, madc…: aux bits CC_…; c is the addend of mad. */
static uint64_t carry_step(warp *w, const op *o, int i, uint64_t a, uint64_t b, uint64_t c) {
    const bool wide = (o->e & WIDE_D) != 0;
    const uint64_t mask = wide ? ~0ull : 0xFFFFFFFFu;
    uint64_t in = (o->aux & CC_IN) != 0 ? w->carry >> i & 1 : 0;
    if ((o->aux & CC_MAD) != 0) {
        const bool is_signed = (o->aux & CC_SIGNED) != 0;
        const unsigned __int128 p = !is_signed ? (unsigned __int128)a * b
                                    : wide ? (unsigned __int128)((__int128)(int64_t)a * (int64_t)b)
                                           : (unsigned __int128)((__int128)(int32_t)a * (int32_t)b);
        a = (o->aux & CC_HI) != 0 ? (uint64_t)(p >> (wide ? 64 : 32)) & mask : (uint64_t)p & mask;
        b = c;
    }
    unsigned __int128 r;
    uint64_t out;
    if ((o->aux & CC_SUB) != 0) {
        r = (unsigned __int128)a - b - in;
        out = (unsigned __int128)a < (unsigned __int128)b + in;
    } else {
        r = (unsigned __int128)a + b + in;
        out = (uint64_t)(r >> (wide ? 64 : 32)) & 1;
    }
    if ((o->aux & CC_OUT) != 0)
        w->carry = (w->carry & ~(1u << i)) | (uint32_t)out << i;
    return (uint64_t)r & mask;
}

static const op *carry(warp *w, const op *o) {
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint64_t r = carry_step(w, o, i, read_lane(w, o->a, (o->e & WIDE_A) != 0, i),
                                      read_lane(w, o->b, (o->e & WIDE_B) != 0, i),
                                      read_lane(w, o->c, (o->e & WIDE_C) != 0, i));
        if ((o->e & WIDE_D) != 0)
            row64(w, o->d)[i] = r;
        else
            row32(w, o->d)[i] = (uint32_t)r;
    }
    return o + 1;
}

const op_entry vg_ops_lane[] = {
    {"carry", carry, NULL},
    {NULL, NULL, NULL},
};
