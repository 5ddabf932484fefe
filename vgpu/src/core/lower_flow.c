/*
 * lower_flow.c: blocks, branches and guards. The blocks of a function stand in the order of the
 * text, so that falling through is op + 1. A block where lanes meet starts with a `join` op. A
 * guarded instruction is a `guard` op and itself, or, if it may wait or end, a branch around it.
 */
#include "vgpu/src/core/lower.h"
#include "vgpu/src/core/ops_call.h"

#include <string.h>

/* ---- blocks that are counted ---- */

/* Observed programs: whose splits a branch counts. */
static uint32_t current_code_block(const lowerer *lw) {
    return lw->observed ? (uint32_t)lw->program.num_blocks - 1 : 0;
}

/* Observed programs: what follows is counted as one. `key` is the op that counts. */
op *lower_begin_code_block(lowerer *lw, const char *key) {
    if (!lw->observed)
        return NULL;
    program *p = &lw->program;
    op *o = lower_emit(lw, key);
    o->slot = (uint32_t)p->num_blocks;
    p->blocks = vg_arena_grow(lw->arena, p->blocks, (size_t)p->num_blocks, sizeof *p->blocks);
    if (p->num_blocks > 0)
        p->blocks[p->num_blocks - 1].end = lw->num_ops - 1;
    p->blocks[p->num_blocks++] = (code_block){lw->num_ops - 1, lw->num_ops};
    return o;
}

/* ---- branches ---- */

static void branch_to(lowerer *lw, const ptx_instr *in, int target) {
    const cfg *g = lw->current->graph;
    fixup f = {.func = lw->current, .block = target, .join = -1, .op_target = -1, .op_join = -1};
    op *o = lower_emit(lw, in->guard != NULL ? "bra.if" : "bra");
    if (in->guard != NULL) {
        const ptx_operand p = {.kind = PO_REG, .var = in->guard};
        o->aux = in->guard_negated;
        const uint32_t row = lower_pred(lw, &p); /* may not emit: registers only */
        lw->ops[lw->num_ops - 1].a = row;
        const int ipdom = g->block[lw->block].ipdom;
        f.join = ipdom < g->num_blocks ? ipdom : -1;
        if (f.join < 0 && lw->current->return_row != 0 && ipdom == g->num_blocks)
            f.join = g->num_blocks; /* a function's lanes meet at its end */
    }
    f.op = lw->num_ops - 1;
    lw->ops[f.op].slot = current_code_block(lw);
    lw->ops[f.op].e = g->block[lw->block].ipdom < 0 ? VG_NO_WAY_OUT : 0;
    lower_fixup(lw, f);
}

void lower_bra(lowerer *lw, const ptx_instr *in) {
    branch_to(lw, in, cfg_label(lw->current->graph, in->operand[0].name));
}

/* brx.idx: one target a label; lanes that choose others part and meet where all ways do. */
void lower_brx(lowerer *lw, const ptx_instr *in) {
    const cfg *g = lw->current->graph;
    const ptx_table *t = ptx_find_table(lw->current->func, in->operand[1].name);
    branch_table *table = vg_arena_alloc(lw->arena, sizeof *table);
    if (in->guard != NULL || in->num_operands != 2)
        lower_unsupported(lw);
    table->count = (uint32_t)t->count;
    table->target = vg_arena_alloc(lw->arena, (size_t)(t->count + 1) * sizeof *table->target);
    const uint32_t index = lower_src(lw, &in->operand[0], PT_U32);
    op *o = lower_emit(lw, "brx");
    o->a = index;
    o->extra = table;
    o->slot = current_code_block(lw);
    const int ipdom = g->block[lw->block].ipdom,
              join = ipdom < g->num_blocks || lw->current->return_row != 0 ? ipdom : -1;
    for (int i = 0; i < t->count; i++) {
        lower_fixup(lw, (fixup){.op = lw->num_ops - 1,
                                .func = lw->current,
                                .block = cfg_label(g, t->label[i]),
                                .join = join,
                                .op_target = -1,
                                .op_join = -1,
                                .slot = &table->target[i]});
    }
}

void lower_exit(lowerer *lw, const ptx_instr *in) {
    (void)in;
    lower_emit(lw, "exit");
}

/* ret in a function goes to its one end, where lanes meet; in a kernel, lanes are done. */
void lower_ret(lowerer *lw, const ptx_instr *in) {
    if (lw->current->return_row == 0) {
        lower_exit(lw, in);
        return;
    }
    if (in->guard != NULL) {
        branch_to(lw, in, lw->current->graph->num_blocks);
        return;
    }
    lower_emit(lw, "bra");
    lower_fixup(lw, (fixup){.op = lw->num_ops - 1,
                            .func = lw->current,
                            .block = lw->current->graph->num_blocks,
                            .join = -1,
                            .op_target = -1,
                            .op_join = -1});
}

/* ---- guards ---- */

static void lower_one(lowerer *lw, const ptx_instr *in) {
    if (in->code->lower == NULL)
        lower_unsupported(lw);
    in->code->lower(lw, in);
}

/* @p x, where x may wait or end: branch around it, and meet behind it. */
static void go_around(lowerer *lw, const ptx_instr *in, uint32_t guard_row) {
    op *o = lower_emit(lw, "bra.if");
    o->a = guard_row;
    o->aux = !in->guard_negated;
    const int branch = lw->num_ops - 1;
    lw->ops[branch].slot = current_code_block(lw);
    lower_begin_code_block(lw, "enter");
    lower_one(lw, in);
    const int behind = lw->num_ops;
    lower_emit(lw, "join");
    lower_fixup(
        lw, (fixup){.op = branch, .block = -1, .join = -1, .op_target = behind, .op_join = behind});
    lower_begin_code_block(lw, "enter"); /* some lanes may be gone */
}

static void guarded(lowerer *lw, const ptx_instr *in) {
    const ptx_operand p = {.kind = PO_REG, .var = in->guard};
    const uint32_t row = lower_pred(lw, &p);
    if ((in->code->is & APART) != 0) {
        go_around(lw, in, row);
        return;
    }
    /* The instruction first, to see what it becomes; then the guards go in front of its ops. */
    const int before = lw->num_ops;
    lower_one(lw, in);
    const int count = lw->num_ops - before;
    op *body = vg_arena_alloc(lw->arena, (size_t)(count + 1) * sizeof *body);
    memcpy(body, lw->ops + before, (size_t)count * sizeof *body);
    lw->num_ops = before;
    for (int i = 0; i < count; i++) {
        op *o = lower_begin_code_block(lw, "guard.enter");
        o = o != NULL ? o : lower_emit(lw, "guard");
        o->a = row;
        o->aux = in->guard_negated;
        *lower_emit_fn(lw, NULL) = body[i];
    }
    lower_begin_code_block(lw, "enter");
}

/* True for instructions that are branches under their own guard. */
static bool looks_at_guard(const lowerer *lw, const ptx_instr *in) {
    const enum ptx_flow flow = in->code->flow;
    return flow == GOES_TO_LABEL || flow == GOES_BY_TABLE ||
           (flow == GOES_TO_CALLER && lw->current->return_row != 0);
}

void lower_block(lowerer *lw, int b) {
    const cfg *g = lw->current->graph;
    lw->block = b;
    lw->current->op_of_block[b] = lw->num_ops;
    lw->at = g->instr[g->block[b].first];
    if (g->block[b].is_join)
        lower_emit(lw, "join");
    lower_begin_code_block(lw, "enter");
    for (int i = g->block[b].first; i < g->block[b].end; i++) {
        const ptx_instr *in = g->instr[i];
        lw->at = in;
        if (in->op == NULL)
            continue;
        if (in->guard != NULL && !looks_at_guard(lw, in))
            guarded(lw, in);
        else
            lower_one(lw, in);
    }
}
