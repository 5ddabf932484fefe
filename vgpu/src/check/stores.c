/*
 * stores.c: see stores.h. A register's origins are a bit for each argument whose value may be part
 * of it; they flow through every instruction, whatever it computes, until nothing is added. The
 * order of instructions does not matter: what a register held anywhere, it may hold everywhere.
 */
#include "vgpu/src/check/stores.h"

#include "vgpu/src/core/opcodes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 60, VARIABLES = 60, HALF = 61, ANYTHING = 62 };
#define BIT(n) (UINT64_C(1) << (n))

typedef struct tracing {
    const ptx_func *func;
    uint64_t *origins; /* by register */
    bool changed;
} tracing;

static bool is_wide(enum ptx_type type) {
    switch (type) {
    case PT_B64:
    case PT_U64:
    case PT_S64:
    case PT_F64:
    case PT_B128: return true;
    default: return false;
    }
}

static bool is_param_of(const ptx_func *f, const ptx_var *v) {
    return v != NULL && v->space == PS_PARAM && v->index >= 0 && v->index < f->num_params &&
           f->params[v->index] == v;
}

static uint64_t origins_of(const tracing *t, const ptx_operand *o) {
    uint64_t all = 0;
    if (o->kind == PO_REG && o->var->index < t->func->num_regs)
        all |= t->origins[o->var->index];
    if (o->kind == PO_SYMBOL)
        all |= o->var->space == PS_PARAM ? BIT(ANYTHING) : BIT(VARIABLES);
    for (int i = 0; i < o->num_elem; i++)
        all |= origins_of(t, &o->elem[i]);
    return all;
}

static void give(tracing *t, const ptx_operand *to, uint64_t origins) {
    if (to->kind == PO_REG && to->var->index < t->func->num_regs) {
        uint64_t *known = &t->origins[to->var->index];
        t->changed = t->changed || (origins & ~*known) != 0;
        *known |= origins;
    }
    for (int i = 0; i < to->num_elem; i++)
        give(t, &to->elem[i], origins);
}

/* Of what a load brings: an argument's own value, or what may be an address of anything, or half of
 * one. */
static void give_loaded(tracing *t, const ptx_instr *in) {
    const ptx_operand *to = &in->operand[0], *from = &in->operand[1];
    const ptx_var *v =
        from->kind == PO_ADDR && from->elem[0].kind == PO_SYMBOL ? from->elem[0].var : NULL;
    if (!is_wide(in->type[0])) /* whatever the register is */
        give(t, to, BIT(HALF));
    else if (in->space == PS_PARAM && is_param_of(t->func, v) && v->index < MOST_PARAMS)
        give(t, to, BIT(v->index));
    else
        give(t, to, BIT(ANYTHING));
}

/* Two halves become one value here, or one of them takes its place in it. */
static bool joins_halves(const ptx_instr *in) {
    const ptx_operand *to = &in->operand[0], *last = &in->operand[in->num_operands - 1];
    if (in->num_operands > 1 && in->operand[1].kind == PO_VECTOR)
        return true;
    return in->code->id == PTX_SHL && to->kind == PO_REG && is_wide(to->var->type) &&
           !(last->kind == PO_INT && last->bits < 32);
}

static void trace(tracing *t, const ptx_instr *in) {
    uint64_t origins = 0;
    if ((in->code->is & NO_RESULT) != 0 || in->num_operands == 0)
        return;
    if (in->code->memory != MEM_NONE) {
        if (in->num_operands > 1)
            give_loaded(t, in);
        return;
    }
    for (int i = 1; i < in->num_operands; i++)
        origins |= origins_of(t, &in->operand[i]);
    if ((origins & BIT(HALF)) != 0 && joins_halves(in))
        origins |= BIT(ANYTHING);
    give(t, &in->operand[0], origins);
}

/* What the instruction writes to in global memory, or nothing. */
static uint64_t written_by(const tracing *t, const ptx_instr *in) {
    const enum ptx_memory memory = in->code->memory;
    uint64_t all = 0;
    if (memory != MEM_STORE && memory != MEM_ATOMIC && memory != MEM_REDUCTION &&
        memory != MEM_MBAR)
        return 0;
    if (in->space != PS_GLOBAL && in->space != PS_GENERIC)
        return 0;
    for (int i = 0; i < in->num_operands; i++)
        if (in->operand[i].kind == PO_ADDR)
            all |= origins_of(t, &in->operand[i]);
    all &= ~BIT(HALF);
    return all != 0 ? all : BIT(ANYTHING);
}

bool vg_is_cached_load(const ptx_instr *in) {
    bool cached = false;
    for (int i = 0; in->code->memory == MEM_LOAD && i < in->num_mods; i++)
        cached = cached || strcmp(in->mod[i], "nc") == 0;
    return cached;
}

/* What the instruction reads through the cache of what is read only, or nothing. */
static uint64_t cached_by(const tracing *t, const ptx_instr *in) {
    const uint64_t all = vg_is_cached_load(in) ? origins_of(t, &in->operand[1]) & ~BIT(HALF) : 0;
    return all != 0 || !vg_is_cached_load(in) ? all : BIT(ANYTHING);
}

/* The arguments that lead to what the kernel writes, and to what it reads through that cache. */
typedef struct led_to {
    uint64_t written, cached;
} led_to;

static led_to arguments_of(const launch *l) {
    tracing t = {.func = l->kernel->func};
    led_to all = {BIT(ANYTHING), BIT(ANYTHING)};
    if (t.func == NULL || t.func->first == NULL)
        return all;
    t.origins = calloc((size_t)t.func->num_regs + 1, sizeof *t.origins);
    if (t.origins == NULL)
        return all;
    all = (led_to){0, 0};
    for (t.changed = true; t.changed;) {
        t.changed = false;
        for (const ptx_instr *in = t.func->first; in != NULL; in = in->next)
            if (in->op != NULL)
                trace(&t, in);
    }
    for (const ptx_instr *in = t.func->first; in != NULL; in = in->next) {
        const bool calls = in->op != NULL && in->code->flow == GOES_TO_CALLEE;
        if (in->op == NULL)
            continue;
        all.written |= calls ? BIT(ANYTHING) : written_by(&t, in);
        all.cached |= calls ? BIT(ANYTHING) : cached_by(&t, in);
    }
    free(t.origins);
    return all;
}

static void set(vg_region *r, bool writes) {
    if (writes)
        r->only_read = false;
    else
        r->cached = true;
}

static void set_all(const vg_regions *regions, bool writes) {
    for (size_t i = 0; i < regions->count; i++)
        set(regions->at[i], writes);
}

/* What each word of an argument points to may be accessed so; small numbers point to nothing. */
static bool open_argument(const vg_regions *regions, const launch *l, int i, bool writes) {
    size_t offset = 0, size = 0;
    vg_kernel_param(l->kernel, i, &offset, &size);
    for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
        uint64_t value;
        memcpy(&value, l->param_block + offset + at, sizeof value);
        vg_region *r = vg_regions_find(regions, value);
        if (value > UINT32_MAX && !vg_region_holds(r, value, value))
            return false;
        if (value > UINT32_MAX)
            set(r, writes);
    }
    return true;
}

/* What these arguments lead to may be accessed so. */
static void open_arguments(const vg_regions *regions, const launch *l, uint64_t which,
                           bool writes) {
    const int params = l->kernel->func->num_params;
    bool all = (which & BIT(ANYTHING)) != 0;
    for (size_t i = 0; (which & BIT(VARIABLES)) != 0 && i < regions->count; i++)
        if (regions->at[i]->kind == VG_MEM_MODULE)
            set(regions->at[i], writes);
    for (int i = 0; i < params && i < MOST_PARAMS && !all; i++)
        all = (which >> i & 1) != 0 && !open_argument(regions, l, i, writes);
    if (all)
        set_all(regions, writes);
}

void vg_stores_foresee(const vg_regions *regions, const launch *l, bool wanted) {
    const led_to led = arguments_of(l);
    for (size_t i = 0; i < regions->count; i++) {
        regions->at[i]->only_read = true;
        regions->at[i]->cached = false;
    }
    open_arguments(regions, l, wanted ? led.written : BIT(ANYTHING), true);
    open_arguments(regions, l, led.cached, false);
}
