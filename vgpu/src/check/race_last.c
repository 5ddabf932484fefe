/*
 * race_last.c: what to say where the last block to count itself reads what the others have stored,
 * and no fence stands between their stores and their counting:
 *
 *     parts[blockIdx.x] = sum;                              a __threadfence() belongs here
 *     last = atomicAdd(&done, 1) == gridDim.x - 1;
 *     … if (last) … parts[i] …
 *
 * Known by its shape: an atomic addition whose result is used, that no thread comes to twice, with
 * the store before it and the load behind it. One that a loop asks again and again is a flag.
 */
#include "vgpu/src/check/race.h"
#include "vgpu/src/core/opcodes.h"

#include <stdio.h>

/* Does any instruction look at what this one brings? */
static bool is_used(const program *p, const ptx_instr *of) {
    const ptx_operand *result = &of->operand[0];
    for (uint32_t i = 0; i < (uint32_t)p->num_ops && result->kind == PO_REG; i++) {
        const ptx_instr *in = p->ops[i].ptx;
        for (int k = in != NULL && (in->code->is & NO_RESULT) != 0 ? 0 : 1;
             in != NULL && k < in->num_operands; k++) {
            const ptx_operand *o = &in->operand[k];
            if (o->kind == PO_REG && o->var == result->var)
                return true;
        }
    }
    return false;
}

static bool counts(const launch *l, const op *o) {
    const ptx_instr *in = o->ptx;
    return in != NULL && in->code->memory == MEM_ATOMIC && o->space != PS_SHARED &&
           (in->atom == ATOM_ADD || in->atom == ATOM_INC || in->atom == ATOM_DEC) &&
           is_used(l->program, in) && !race_leads_to(l, o, o);
}

/* The addition between the two; NULL: there is none. */
static const op *counter_between(const launch *l, const op *store, const op *load) {
    for (uint32_t i = 0; i < (uint32_t)l->program->num_ops; i++) {
        const op *o = &l->program->ops[i];
        if (o != store && o != load && counts(l, o) && race_leads_to(l, store, o) &&
            race_leads_to(l, o, load))
            return o;
    }
    return NULL;
}

static const char *name_of(const op *o) {
    return o->ptx->atom == ATOM_ADD   ? "atomicAdd()"
           : o->ptx->atom == ATOM_INC ? "atomicInc()"
                                      : "atomicDec()";
}

bool race_last_words(const launch *l, const race_found *f, const vg_finding *out, char *words,
                     size_t len) {
    const op *ops = l->program->ops;
    const bool turned = who_class(f->who1) == RACE_READ ||
                        (who_class(f->who1) == RACE_WRITE && who_class(f->who2) == RACE_ATOMIC);
    const op *first = &ops[who_op(turned ? f->who2 : f->who1)],
             *second = &ops[who_op(turned ? f->who1 : f->who2)];
    const enum race_class before = who_class(turned ? f->who2 : f->who1),
                          after = who_class(turned ? f->who1 : f->who2);
    const vg_dim3 by = out->site[turned].block, last = out->site[!turned].block;
    if (f->block1 == f->block2 || l->params->cooperative)
        return false;
    if (before == RACE_ATOMIC && after == RACE_WRITE && counts(l, first) &&
        race_leads_to(l, first, second)) {
        snprintf(words, len,
                 "block (%u,%u,%u) sets the counter back after its own %s: that comes after the "
                 "others' only if a __threadfence() stands in front of the %s",
                 last.x, last.y, last.z, name_of(first), name_of(first));
        return true;
    }
    const op *counter =
        before == RACE_WRITE && after == RACE_READ ? counter_between(l, first, second) : NULL;
    if (counter == NULL)
        return false;
    snprintf(words, len,
             "block (%u,%u,%u) knows by the %s in line %d that the others are done, but what block "
             "(%u,%u,%u) has stored in line %d may not be there yet: a __threadfence() belongs "
             "between that store and the %s",
             last.x, last.y, last.z, name_of(counter), counter->line, by.x, by.y, by.z, first->line,
             name_of(counter));
    return true;
}
