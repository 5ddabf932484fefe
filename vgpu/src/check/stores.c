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

/* The arguments that lead to what the kernel writes. */
static uint64_t arguments_written(const launch *l) {
    tracing t = {.func = l->kernel->func};
    uint64_t all = 0;
    if (t.func == NULL || t.func->first == NULL)
        return BIT(ANYTHING);
    t.origins = calloc((size_t)t.func->num_regs + 1, sizeof *t.origins);
    if (t.origins == NULL)
        return BIT(ANYTHING);
    for (t.changed = true; t.changed;) {
        t.changed = false;
        for (const ptx_instr *in = t.func->first; in != NULL; in = in->next)
            if (in->op != NULL)
                trace(&t, in);
    }
    for (const ptx_instr *in = t.func->first; in != NULL; in = in->next)
        if (in->op != NULL)
            all |= in->code->flow == GOES_TO_CALLEE ? BIT(ANYTHING) : written_by(&t, in);
    free(t.origins);
    return all;
}

/* What each word of an argument points to may be written; small numbers point to nothing. */
static bool open_argument(const vg_regions *regions, const launch *l, int i) {
    size_t offset = 0, size = 0;
    vg_kernel_param(l->kernel, i, &offset, &size);
    for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
        uint64_t value;
        memcpy(&value, l->param_block + offset + at, sizeof value);
        vg_region *r = vg_regions_find(regions, value);
        if (value > UINT32_MAX && !vg_region_holds(r, value, value))
            return false;
        if (value > UINT32_MAX)
            r->only_read = false;
    }
    return true;
}

static void set_all(const vg_regions *regions, bool only_read) {
    for (size_t i = 0; i < regions->count; i++)
        regions->at[i]->only_read = only_read;
}

void vg_stores_foresee(const vg_regions *regions, const launch *l, bool wanted) {
    const uint64_t written = wanted ? arguments_written(l) : BIT(ANYTHING);
    const int params = l->kernel->func->num_params;
    set_all(regions, (written & BIT(ANYTHING)) == 0);
    for (size_t i = 0; (written & BIT(VARIABLES)) != 0 && i < regions->count; i++)
        if (regions->at[i]->kind == VG_MEM_MODULE)
            regions->at[i]->only_read = false;
    for (int i = 0; i < params && i < MOST_PARAMS; i++)
        if ((written >> i & 1) != 0 && !open_argument(regions, l, i)) {
            set_all(regions, false);
            return;
        }
}
