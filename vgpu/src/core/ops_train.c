/*
 * ops_train.c: runs a train; see train.h. The loads of a base need no look of their own any more:
 * each is a copy of two half rows, or of two words to all lanes of their halves.
 */
#include "vgpu/src/core/lane_shape.h"
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/step.h"
#include "vgpu/src/core/train.h"

#include <string.h>

/* A base, once the train has looked at it. */
typedef struct lane_base {
    const uint8_t *half[2]; /* where lanes 0 and 16 have offset 0 */
    uint64_t at[2];         /* its address                        */
    enum vg_halves halves;
    bool noted;
} lane_base;

static bool finds_range(warp *w, const train_base *b, range *r, uint64_t from, uint64_t to) {
    if (covers(r, from, to))
        return true;
    range found;
    if (!vg_resolve(w, b->op, 0, from, &found) || found.per_lane || !covers(&found, from, to))
        return false;
    *r = found;
    return true;
}

/* What all loads of the base are permitted: their permits have that in common. False: nothing. */
static __attribute__((noinline)) bool find_permit(const warp *w, const vg_train *t, uint32_t k) {
    const host_thread *wk = w->worker;
    vg_permit all = {.end = UINT64_MAX, .round = wk->permit_round, .op = t->bases[k].op};
    all.noted = wk->permits[all.op->slot].noted;
    for (const train_step *s = t->steps; s < t->steps + t->num_steps; s++) {
        if (s->what != TRAIN_LOAD || s->base != k)
            continue;
        const vg_permit *p = &wk->permits[s->op->slot];
        if (!vg_permit_holds(wk, p, s->op) || p->noted != all.noted)
            return false;
        all.begin = p->begin > all.begin ? p->begin : all.begin;
        all.end = p->end < all.end ? p->end : all.end;
    }
    wk->train_permits[t->bases[k].slot] = all;
    return true;
}

static inline bool permits(const vg_permit *p, uint64_t from, uint64_t to) {
    return from >= p->begin && to <= p->end && from < to;
}

/* In a loop each turn often loads as much further on as the turn before. Rows of a matrix whose
 * lengths are powers of two fall on few places of a cache, which has forgotten them; so the
 * processor is told early what a few turns later will want. Any address may be told. */
static inline void foresee(const warp *w, const train_base *b, const lane_base *now) {
    enum { TURNS = 4, NEAR = 64 };
    uint64_t *last = &w->worker->train_last[b->slot];
    const uint64_t step = now->at[0] - *last;
    *last = now->at[0];
    if (step + NEAR <= 2 * NEAR) /* the processor knows how to do that by itself */
        return;
    for (int i = 0; i < 2; i++)
        __builtin_prefetch((const void *)((uintptr_t)now->half[i] + TURNS * step));
}

/* Looks at base k, for all that the train loads from it. False: it must be loaded one by one. */
static inline bool look(warp *w, const vg_train *t, uint32_t k, bool observed, lane_base *out) {
    const train_base *b = &t->bases[k];
    const vg_permit *p = observed ? &w->worker->train_permits[b->slot] : NULL;
    out->noted = false;
    if (observed && p->round != w->worker->permit_round && !find_permit(w, t, k))
        return false;
    const uint64_t *base = row64(w, b->row);
    const enum vg_halves halves = shape_of_halves(base, 2);
    const uint64_t from[2] = {base[0] + (uint64_t)b->low, base[HALF] + (uint64_t)b->low},
                   length = (uint64_t)(b->high - b->low) + (halves == VG_HALVES_ONE ? 4 : HALF_ROW);
    if (halves == VG_HALVES_ANY || ((base[0] | base[HALF]) & 3) != 0)
        return false;
    if (observed) {
        if (!permits(p, from[0], from[0] + length) || !permits(p, from[1], from[1] + length) ||
            (p->noted && !b->shared))
            return false;
        out->noted = p->noted;
    }
    range *r = &w->worker->cache[b->op->slot];
    if (!finds_range(w, b, r, from[0], from[0] + length) || !covers(r, from[1], from[1] + length))
        return false;
    for (int i = 0; i < 2; i++) {
        out->at[i] = base[i * HALF];
        out->half[i] = host(r, out->at[i]);
    }
    out->halves = halves;
    if (!b->shared)
        foresee(w, b, out);
    return true;
}

static inline bool any_noted(const vg_train *t, const lane_base *base) {
    bool any = false;
    for (uint32_t k = 0; k < t->num_shared; k++)
        any |= base[k].noted;
    return any;
}

/* Notes what the train will have read of shared memory when it is through. */
static void note_train(const warp *w, const op *o, const lane_base *base) {
    host_thread *wk = w->worker;
    const vg_train *t = o->train;
    if (!any_noted(t, base))
        return;
    if (wk->num_noted + 1 + t->num_shared > VG_MOST_NOTED)
        vg_tell_noted(wk, false);
    vg_noted *entry = &wk->noted[wk->num_noted];
    *entry = (vg_noted){.op = o, .at = {t->num_steps}, .halves = VG_NOTED_TRAIN};
    for (uint32_t k = 0; k < t->num_shared; k++) {
        entry[1 + k] =
            (vg_noted){.op = o,
                       .at = {(uint32_t)base[k].at[0], (uint32_t)base[k].at[1]},
                       .warp = (uint8_t)w->index,
                       .halves = (uint8_t)(base[k].noted ? base[k].halves : VG_HALVES_ANY)};
    }
    wk->num_noted += 1 + t->num_shared;
    wk->reading_warps |= 1u << w->index;
}

/* The train ends in front of a load: of what is noted, it has read less. */
static const op *leave(const warp *w, const op *o, const lane_base *base, const train_step *s) {
    const vg_train *t = o->train;
    if (any_noted(t, base))
        w->worker->noted[w->worker->num_noted - 1 - t->num_shared].at[0] = (uint32_t)(s - t->steps);
    return s->op;
}

static inline void load(const warp *w, const train_step *s, const lane_base *b) {
    uint32_t *d = row32(w, s->d);
    fill_halves(d, b->half[0] + s->offset, b->half[1] + s->offset, b->halves);
}

/* What operations of a full warp compute. */
static inline float *rowf(const warp *w, uint32_t offset) {
    return (float *)(void *)(w->regs + offset);
}

/* A NaN that an operation makes is this one on the GPU; as in ops_float.c. */
static inline float canonical(float x) {
    const uint32_t bits = 0x7FFFFFFF;
    float nan;
    memcpy(&nan, &bits, sizeof nan);
    return x != x ? nan : x;
}

#define EACH_LANE(D, EXPR)                                                                         \
    do {                                                                                           \
        VG_LANE_LOOP                                                                               \
        for (int i = 0; i < VG_LANES; i++)                                                         \
            (D)[i] = (EXPR);                                                                       \
    } while (0)

static inline void fma_f32(const warp *w, const train_step *s) {
    float *d = rowf(w, s->d);
    const float *a = rowf(w, s->a), *b = rowf(w, s->b), *c = rowf(w, s->c);
    EACH_LANE(d, canonical(__builtin_fmaf(a[i], b[i], c[i])));
}
static inline void add_f32(const warp *w, const train_step *s) {
    float *d = rowf(w, s->d);
    const float *a = rowf(w, s->a), *b = rowf(w, s->b);
    EACH_LANE(d, canonical(a[i] + b[i]));
}
static inline void mul_f32(const warp *w, const train_step *s) {
    float *d = rowf(w, s->d);
    const float *a = rowf(w, s->a), *b = rowf(w, s->b);
    EACH_LANE(d, canonical(a[i] * b[i]));
}
static inline void add_u32(const warp *w, const train_step *s) {
    uint32_t *d = row32(w, s->d);
    const uint32_t *a = row32(w, s->a), *b = row32(w, s->b);
    EACH_LANE(d, a[i] + b[i]);
}
static inline void add_u64(const warp *w, const train_step *s) {
    uint64_t *d = row64(w, s->d);
    const uint64_t *a = row64(w, s->a), *b = row64(w, s->b);
    EACH_LANE(d, a[i] + b[i]);
}
static inline void mul_wide_s32(const warp *w, const train_step *s) {
    uint64_t *d = row64(w, s->d);
    const uint32_t *a = row32(w, s->a), *b = row32(w, s->b);
    EACH_LANE(d, (uint64_t)((int64_t)(int32_t)a[i] * (int32_t)b[i]));
}

static inline __attribute__((always_inline)) const op *run(warp *w, const op *o, bool observed) {
    const vg_train *t = o->train;
    const launch *l = w->worker->launch;
    lane_base base[TRAIN_BASES];
    if (w->mask != VG_ALL_LANES || l->stepper != NULL || l->params->double_shared)
        return t->alone(w, o);
    for (uint32_t k = 0; k < t->num_shared; k++) /* these always are ready */
        if (!look(w, t, k, observed, &base[k]))
            return t->alone(w, o);
    for (uint32_t k = t->num_shared; k < t->num_bases; k++)
        if (t->bases[k].ready && !look(w, t, k, observed, &base[k]))
            return t->alone(w, o);
    if (observed)
        note_train(w, o, base);
    const train_step *s = t->steps, *end = s + t->num_steps;
    for (; s < end; s++) {
        switch ((enum train_what)s->what) {
        case TRAIN_LOOK:
            if (!look(w, t, s->base, observed, &base[s->base]))
                return observed ? leave(w, o, base, s) : s->op;
            break;
        case TRAIN_LOAD: load(w, s, &base[s->base]); break;
        case TRAIN_FMA_F32: fma_f32(w, s); break;
        case TRAIN_ADD_F32: add_f32(w, s); break;
        case TRAIN_MUL_F32: mul_f32(w, s); break;
        case TRAIN_ADD_U32: add_u32(w, s); break;
        case TRAIN_ADD_U64: add_u64(w, s); break;
        case TRAIN_MUL_WIDE_S32: mul_wide_s32(w, s); break;
        case TRAIN_OTHER: s->fn(w, s->op); break;
        }
    }
    return end[-1].op + 1;
}

static const op *train(warp *w, const op *o) {
    return run(w, o, false);
}

static const op *observed_train(warp *w, const op *o) {
    return run(w, o, true);
}

const op_entry VG_ISA_NAME(vg_ops_train)[] = {
    {"train", train, NULL},
    {"observed.train", observed_train, NULL},
    {NULL, NULL, NULL},
};
