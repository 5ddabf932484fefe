/* lower_warp.c: barriers, what the lanes of a warp tell each other, and what does nothing. */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_warp.h"

/* bar.warp.sync mask */
void lower_bar_warp(lowerer *lw, const ptx_instr *in) {
    lower_need_operands(lw, in, 1);
    const uint32_t a = lower_src(lw, &in->operand[0], PT_B32);
    op *o = lower_emit(lw, "bar.warp");
    o->a = a;
    o->aux = VG_MEET_ANYWHERE;
}

void lower_bar(lowerer *lw, const ptx_instr *in) {
    const bool red = lower_has(in, "red");
    const bool popc = red && lower_has(in, "popc");
    const int first = red ? 1 : 0;
    const int rest = in->num_operands - first - (red ? 1 : 0);
    if (rest < 1 || rest > 2 || lower_has(in, "cluster"))
        lower_unsupported(lw);
    const uint32_t id = lower_src(lw, &in->operand[first], PT_U32);
    const uint32_t count = rest == 2 ? lower_src(lw, &in->operand[first + 1], PT_U32) : 0;
    const uint32_t p = red ? lower_pred(lw, &in->operand[in->num_operands - 1]) : 0;
    op *o = lower_emit(lw, red ? "bar.red" : lower_has(in, "arrive") ? "bar.arrive" : "bar.sync");
    o->a = id;
    o->b = count;
    o->c = p;
    if (red) {
        o->aux = in->operand[in->num_operands - 1].negated ? 4 : 0;
        const uint32_t d = lower_dst(lw, &in->operand[0], popc ? PT_U32 : PT_PRED);
        o = lower_emit(lw, "bar.result");
        o->a = id;
        o->d = d;
        o->aux = popc ? 0 : lower_has(in, "and") ? 1 : 2;
    }
}

void lower_shfl(lowerer *lw, const ptx_instr *in) {
    if (in->num_operands != 5) /* the form without .sync is gone since PTX 6.4 */
        lower_unsupported(lw);
    const ptx_operand *d = &in->operand[0];
    const uint32_t a = lower_src(lw, &in->operand[1], PT_B32),
                   b = lower_src(lw, &in->operand[2], PT_B32);
    const uint32_t c = lower_src(lw, &in->operand[3], PT_B32),
                   m = lower_src(lw, &in->operand[4], PT_B32);
    const uint32_t dst = lower_dst(lw, d->kind == PO_PAIR ? &d->elem[0] : d, PT_B32);
    const uint32_t p = d->kind == PO_PAIR ? lower_dst(lw, &d->elem[1], PT_PRED) : 0;
    op *o = lower_emit(lw, "shfl");
    o->d = dst;
    o->e = p;
    o->a = a;
    o->b = b;
    o->c = c;
    o->slot = m;
    o->aux = lower_has(in, "up")     ? SHFL_UP
             : lower_has(in, "down") ? SHFL_DOWN
             : lower_has(in, "bfly") ? SHFL_BFLY
                                     : SHFL_IDX;
}

void lower_vote(lowerer *lw, const ptx_instr *in) {
    const bool ballot = lower_has(in, "ballot");
    if (in->num_operands != 3)
        lower_unsupported(lw);
    const uint32_t a = lower_pred(lw, &in->operand[1]), m = lower_src(lw, &in->operand[2], PT_B32);
    const uint32_t d = lower_dst(lw, &in->operand[0], ballot ? PT_B32 : PT_PRED);
    op *o = lower_emit(lw, "vote");
    o->d = d;
    o->a = a;
    o->slot = m;
    o->aux = (ballot                 ? VOTE_BALLOT
              : lower_has(in, "all") ? VOTE_ALL
              : lower_has(in, "any") ? VOTE_ANY
                                     : VOTE_UNI) |
             (in->operand[1].negated ? 16u : 0);
}

void lower_match(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    const ptx_operand *d = &in->operand[0];
    lower_need_operands(lw, in, 3);
    const uint32_t a = lower_src(lw, &in->operand[1], t),
                   m = lower_src(lw, &in->operand[2], PT_B32);
    const uint32_t dst = lower_dst(lw, d->kind == PO_PAIR ? &d->elem[0] : d, PT_B32);
    const uint32_t p = d->kind == PO_PAIR ? lower_dst(lw, &d->elem[1], PT_PRED) : 0;
    op *o = lower_emit(lw, "match");
    o->d = dst;
    o->e = p;
    o->a = a;
    o->slot = m;
    o->aux = (ptx_type_size(t) == 8 ? 1u : 0) | (lower_has(in, "all") ? 2u : 0);
}

/* elect.sync d|p, mask: which of the mask's lanes leads them, and whether it is this one */
void lower_elect(lowerer *lw, const ptx_instr *in) {
    const ptx_operand *d = &in->operand[0];
    lower_need_operands(lw, in, 2);
    if (d->kind != PO_PAIR)
        lower_unsupported(lw);
    const uint32_t m = lower_src(lw, &in->operand[1], PT_B32);
    const uint32_t leader = lower_dst(lw, &d->elem[0], PT_B32);
    const uint32_t leads = lower_dst(lw, &d->elem[1], PT_PRED);
    op *o = lower_emit(lw, "elect");
    o->d = leader;
    o->e = leads;
    o->slot = m;
}

void lower_activemask(lowerer *lw, const ptx_instr *in) {
    const uint32_t d = lower_dst(lw, &in->operand[0], PT_B32);
    lower_emit(lw, "activemask")->d = d;
}

void lower_redux(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    const enum ptx_atom kind = in->atom;
    if (kind == ATOM_NONE || kind >= ATOM_EXCH || (t != PT_U32 && t != PT_S32 && t != PT_B32))
        lower_unsupported(lw);
    lower_need_operands(lw, in, 3);
    const uint32_t a = lower_src(lw, &in->operand[1], t),
                   m = lower_src(lw, &in->operand[2], PT_B32);
    const uint32_t d = lower_dst(lw, &in->operand[0], t);
    op *o = lower_emit(lw, "redux");
    o->d = d;
    o->a = a;
    o->slot = m;
    o->aux = (uint32_t)kind | (uint32_t)t << 4;
}

void lower_trap(lowerer *lw, const ptx_instr *in) {
    (void)in;
    lower_emit(lw, "trap");
}
void lower_nothing(lowerer *lw, const ptx_instr *in) {
    (void)in;
    lower_emit(lw, "nop");
}

/* What only the virtual GPU has, for its own headers. */
void lower_grid_sync(lowerer *lw, const ptx_instr *in) {
    (void)in;
    lower_emit(lw, "grid.sync");
}
