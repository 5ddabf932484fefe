/*
 * predicates.h: how a comparison's bits become predicates. The bits of all lanes are computed; the
 * predicate takes those of the active ones. op.aux says how a third predicate joins in: 0 not at
 * all, 1 and, 2 or, 3 xor; 4 more: it is negated. op.e, when not 0, gets the opposite comparison.
 */
#pragma once

#include "vgpu/src/core/program.h"

static inline void put_predicate(const warp *w, uint32_t offset, uint32_t bits) {
    uint32_t *p = pred(w, offset);
    *p = (*p & ~w->mask) | (bits & w->mask);
}

static inline const op *set_predicates(warp *w, const op *o, uint32_t bits) {
    uint32_t opposite = ~bits;
    if (o->aux != 0) {
        const uint32_t c = *pred(w, o->c) ^ ((o->aux & 4) != 0 ? VG_ALL_LANES : 0);
        const uint32_t how = o->aux & 3;
        bits = how == 1 ? bits & c : how == 2 ? bits | c : bits ^ c;
        opposite = how == 1 ? opposite & c : how == 2 ? opposite | c : opposite ^ c;
    }
    put_predicate(w, o->d, bits);
    if (o->e != 0)
        put_predicate(w, o->e, opposite);
    return o + 1;
}
