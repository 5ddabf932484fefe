/* train.c: finds the trains of a program; see train.h. */
#include "vgpu/src/core/train.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/optable.h"

#include <string.h>

/* Fewer are not worth the looks that they begin with. */
enum { MIN_LOADS = 2, MIN_STEPS = 5 };

/* What a train may take besides loads, and the bytes a lane of what it writes. */
static const struct {
    const char *key;
    uint8_t what, width;
} computes[] = {
    {"fma.f32", TRAIN_FMA_F32, 4},    {"add.f32", TRAIN_ADD_F32, 4},
    {"mul.f32", TRAIN_MUL_F32, 4},    {"add.u32", TRAIN_ADD_U32, 4},
    {"add.u64", TRAIN_ADD_U64, 8},    {"mul.wide.s32", TRAIN_MUL_WIDE_S32, 8},
    {"sub.f32", TRAIN_OTHER, 4},      {"sub.u32", TRAIN_OTHER, 4},
    {"sub.u64", TRAIN_OTHER, 8},      {"mul.lo.u32", TRAIN_OTHER, 4},
    {"mul.lo.u64", TRAIN_OTHER, 8},   {"mad.lo.u32", TRAIN_OTHER, 4},
    {"mul.wide.u32", TRAIN_OTHER, 8}, {"and.u32", TRAIN_OTHER, 4},
    {"and.u64", TRAIN_OTHER, 8},      {"or.u32", TRAIN_OTHER, 4},
    {"or.u64", TRAIN_OTHER, 8},       {"xor.u32", TRAIN_OTHER, 4},
    {"shl.u32", TRAIN_OTHER, 4},      {"shl.u64", TRAIN_OTHER, 8},
    {"shr.u32", TRAIN_OTHER, 4},      {"shr.s32", TRAIN_OTHER, 4},
    {"mov.b32", TRAIN_OTHER, 4},      {"mov.b64", TRAIN_OTHER, 8},
    {"cvt.s64.s32", TRAIN_OTHER, 8},  {"cvt.u64.u32", TRAIN_OTHER, 8},
    {"max.f32", TRAIN_OTHER, 4},      {"min.f32", TRAIN_OTHER, 4},
};
enum { COMPUTES = sizeof computes / sizeof *computes };

typedef struct coupler {
    vg_arena *arena;
    program *program;
    op_fn load, compute[COMPUTES];
    uint8_t width[TRAIN_STEPS]; /* bytes a lane of what each step writes */
    train_step step[TRAIN_STEPS];
    train_base base[TRAIN_BASES];
    uint32_t num_steps, num_bases, num_loads;
} coupler;

static bool is_plain_load(const coupler *c, const op *o) {
    return o->fn == c->load && (o->space == PS_SHARED || o->space == PS_GLOBAL) &&
           o->imm % 4 == 0 && o->imm > INT32_MIN / 2 && o->imm < INT32_MAX / 2 &&
           (o->ptx == NULL || o->ptx->order == ORDER_NONE);
}

/* Row a, of which lane_bytes are written, is a part of the 64-bit row b. */
static bool overlap(uint32_t a, uint32_t lane_bytes, uint32_t b) {
    return a < b + VG_ROW64 && b < a + lane_bytes * VG_LANES;
}

/* Which base a load has: one that an earlier load had, or a new one, whose number is num_bases.
 * *fresh: no step writes the register before. */
static uint32_t base_of(const coupler *c, const op *o, bool *fresh) {
    for (uint32_t k = c->num_steps; k-- > 0;) {
        const train_step *s = &c->step[k];
        *fresh = false;
        if (s->what != TRAIN_LOOK && overlap(s->d, c->width[k], o->a))
            return c->num_bases;
        if (s->what == TRAIN_LOAD && s->a == o->a && s->op->space == o->space)
            return s->base;
    }
    *fresh = true;
    return c->num_bases;
}

static void put(coupler *c, const op *o, uint8_t what, uint8_t width, uint32_t base) {
    c->width[c->num_steps] = width;
    c->step[c->num_steps++] = (train_step){.what = what,
                                           .base = (uint8_t)base,
                                           .d = o->d,
                                           .a = o->a,
                                           .b = o->b,
                                           .c = o->c,
                                           .offset = what == TRAIN_LOAD ? (int32_t)o->imm : 0,
                                           .op = o,
                                           .fn = o->fn};
}

/* False: the load does not fit into this train. Reads of shared memory are noted when the train
 * begins, and so their base must be ready then. */
static bool take_load(coupler *c, const op *o) {
    bool fresh;
    const uint32_t k = base_of(c, o, &fresh);
    train_base *b = &c->base[k];
    const int32_t offset = (int32_t)o->imm;
    if (k == c->num_bases) {
        if (k == TRAIN_BASES || (o->space == PS_SHARED && !fresh))
            return false;
        *b = (train_base){.row = o->a,
                          .ready = fresh,
                          .shared = o->space == PS_SHARED,
                          .low = offset,
                          .high = offset,
                          .op = o};
        c->num_bases++;
        if (!fresh)
            put(c, o, TRAIN_LOOK, 0, k);
    }
    b->low = offset < b->low ? offset : b->low;
    b->high = offset > b->high ? offset : b->high;
    put(c, o, TRAIN_LOAD, 4, k);
    c->num_loads++;
    return true;
}

static bool take(coupler *c, const op *o) {
    if (c->num_steps + 2 > TRAIN_STEPS)
        return false;
    if (is_plain_load(c, o))
        return take_load(c, o);
    for (int k = 0; k < COMPUTES; k++) {
        if (o->fn == c->compute[k]) {
            put(c, o, computes[k].what, computes[k].width, 0);
            return true;
        }
    }
    return false;
}

/* The bases of shared memory first; steps follow. */
static void sort_bases(coupler *c, vg_train *t) {
    uint32_t place[TRAIN_BASES], n = 0;
    for (int shared = 1; shared >= 0; shared--) {
        for (uint32_t k = 0; k < c->num_bases; k++) {
            if (c->base[k].shared != shared)
                continue;
            place[k] = n;
            t->bases[n] = c->base[k];
            t->bases[n++].slot = (uint32_t)c->program->num_train_bases++;
        }
        t->num_shared = shared ? n : t->num_shared;
    }
    for (uint32_t k = 0; k < t->num_steps; k++)
        t->steps[k].base = c->num_bases > 0 ? (uint8_t)place[t->steps[k].base] : 0;
}

static void finish_train(coupler *c, op_fn run) {
    if (c->num_loads >= MIN_LOADS && c->num_steps >= MIN_STEPS) {
        vg_train *t = vg_arena_alloc(c->arena, sizeof *t);
        const size_t steps = c->num_steps * sizeof *t->steps,
                     bases = c->num_bases * sizeof *t->bases;
        op *first = &c->program->ops[c->step[0].op - c->program->ops];
        t->alone = first->fn;
        t->num_steps = c->num_steps;
        t->num_bases = c->num_bases;
        t->steps = vg_arena_alloc(c->arena, steps);
        t->bases = vg_arena_alloc(c->arena, bases);
        memcpy(t->steps, c->step, steps);
        sort_bases(c, t);
        first->train = t;
        first->fn = run;
    }
    c->num_steps = c->num_bases = c->num_loads = 0;
}

void vg_couple(program *p, vg_arena *arena, bool observed, const bool *is_entry) {
    coupler c = {.arena = arena, .program = p};
    const op_fn guard = vg_find_op(observed ? "guard.enter" : "guard")->fn,
                run = vg_find_op(observed ? "observed.train" : "train")->fn;
    c.load = vg_find_op(observed ? "observed.ld.b32" : "ld.b32")->fn;
    for (int k = 0; k < COMPUTES; k++)
        c.compute[k] = vg_find_op(computes[k].key)->fn;
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        const bool guarded = i > 0 && o[-1].fn == guard;
        if (is_entry[i] || guarded)
            finish_train(&c, run);
        if (guarded || take(&c, o))
            continue;
        finish_train(&c, run);
        take(&c, o); /* a load that did not fit begins another */
    }
    finish_train(&c, run);
}
