/* blind.c: finds exchanges without a reader; see blind.h. A register that is named once more than
 * by the exchange itself counts as read, though that may be another definition. */
#include "vgpu/src/check/blind.h"

#include "vgpu/src/core/observe.h"

#include <stdlib.h>

static bool names(const ptx_operand *o, const ptx_var *var) {
    if (o->var == var)
        return true;
    for (int i = 0; i < o->num_elem; i++)
        if (names(&o->elem[i], var))
            return true;
    return false;
}

static bool is_read(const program *p, const ptx_instr *exchange) {
    const ptx_var *var = exchange->operand[0].var;
    for (int i = 0; i < p->num_ops; i++) {
        const ptx_instr *in = p->ops[i].ptx;
        if (in == NULL)
            continue;
        if (in->guard == var)
            return true;
        for (int k = in == exchange ? 1 : 0; k < in->num_operands; k++)
            if (names(&in->operand[k], var))
                return true;
    }
    return false;
}

bool *vg_blind_exchanges(const program *p) {
    bool *blind = NULL;
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        if (o->access != VG_ATOMIC || o->ptx == NULL || o->ptx->atom != ATOM_EXCH ||
            o->ptx->operand[0].var == NULL || is_read(p, o->ptx))
            continue;
        if (blind == NULL)
            blind = calloc((size_t)p->num_ops, sizeof *blind);
        if (blind != NULL)
            blind[i] = true;
    }
    return blind;
}
