/* cfg.c: see cfg.h. Post-dominators by Cooper,
 * Harvey and Kennedy's iteration on the reversed graph. */
#include "vgpu/src/core/cfg.h"

#include "vgpu/src/core/opcodes.h"

#include <string.h>

enum flow cfg_flow(const ptx_instr *in) {
    switch (in->code->flow) {
    case GOES_TO_LABEL: return in->guard != NULL ? FLOW_BRANCH_IF : FLOW_BRANCH;
    case GOES_BY_TABLE: return FLOW_TABLE;
    case GOES_TO_CALLER: return in->guard != NULL ? FLOW_RETURN_IF : FLOW_END;
    case GOES_NOWHERE: return in->guard != NULL ? FLOW_NEXT : FLOW_END;
    default: return FLOW_NEXT;
    }
}

int cfg_label(const cfg *g, const char *label) {
    for (int b = 0; b < g->num_blocks; b++) {
        for (int i = g->block[b].first; i < g->block[b].end && g->instr[i]->label != NULL; i++)
            if (strcmp(g->instr[i]->label, label) == 0)
                return b;
    }
    return -1;
}

static void split_blocks(vg_arena *arena, cfg *g) {
    g->block = vg_arena_alloc(arena, (size_t)(g->num_instrs + 1) * sizeof *g->block);
    g->block_of = vg_arena_alloc(arena, (size_t)(g->num_instrs + 1) * sizeof *g->block_of);
    bool start = true;
    for (int i = 0; i < g->num_instrs; i++) {
        const bool label = g->instr[i]->label != NULL;
        const bool after_label = i > 0 && g->instr[i - 1]->label != NULL;
        if (start || (label && !after_label))
            g->block[g->num_blocks++].first = i;
        g->block[g->num_blocks - 1].end = i + 1;
        g->block_of[i] = g->num_blocks - 1;
        start = cfg_flow(g->instr[i]) != FLOW_NEXT;
    }
}

static void add_succ(vg_arena *arena, cfg_block *b, int to) {
    b->succ = vg_arena_grow(arena, b->succ, (size_t)b->num_succ, sizeof to);
    b->succ[b->num_succ++] = to;
}

/* The ways out of a brx.idx; false when a label is not there. */
static bool link_table(vg_arena *arena, const cfg *g, cfg_block *block, const ptx_func *func,
                       const ptx_instr *last) {
    const char *name =
        last->num_operands == 2 && last->operand[1].kind == PO_NAME ? last->operand[1].name : NULL;
    const ptx_table *t = ptx_find_table(func, name);
    for (int i = 0; t != NULL && i < t->count; i++) {
        const int to = cfg_label(g, t->label[i]);
        if (to < 0)
            return false;
        add_succ(arena, block, to);
    }
    return t != NULL;
}

static const ptx_instr *link_blocks(vg_arena *arena, cfg *g, const ptx_func *func) {
    const bool is_entry = func->is_entry;
    for (int b = 0; b < g->num_blocks; b++) {
        cfg_block *block = &g->block[b];
        const ptx_instr *last = g->instr[block->end - 1];
        const enum flow flow = cfg_flow(last);
        if (flow == FLOW_BRANCH || flow == FLOW_BRANCH_IF) {
            const char *label = last->operand[0].kind == PO_NAME ? last->operand[0].name : NULL;
            const int to = label != NULL ? cfg_label(g, label) : -1;
            if (to < 0)
                return last;
            add_succ(arena, block, to);
        }
        if (flow == FLOW_TABLE && !link_table(arena, g, block, func, last))
            return last;
        /* In a kernel those lanes are gone, and no path with them. */
        if (flow == FLOW_RETURN_IF && !is_entry)
            add_succ(arena, block, g->num_blocks);
        if (flow == FLOW_END)
            add_succ(arena, block, g->num_blocks);
        else if (flow != FLOW_BRANCH && flow != FLOW_TABLE)
            add_succ(arena, block, b + 1);
    }
    return NULL;
}

/* Numbers the blocks that can reach the end, in postorder of a walk along reversed edges. */
static void number_backwards(vg_arena *arena, const cfg *g, int *order, int *number, int *count) {
    const int n = g->num_blocks + 1;
    int *num_pred = vg_arena_alloc(arena, (size_t)n * sizeof *num_pred);
    int **pred = vg_arena_alloc(arena, (size_t)n * sizeof *pred);
    for (int b = 0; b < g->num_blocks; b++) {
        for (int s = 0; s < g->block[b].num_succ; s++) {
            const int to = g->block[b].succ[s];
            pred[to] = vg_arena_grow(arena, pred[to], (size_t)num_pred[to], sizeof(int));
            pred[to][num_pred[to]++] = b;
        }
    }
    int *stack = vg_arena_alloc(arena, (size_t)n * sizeof *stack);
    int *next = vg_arena_alloc(arena, (size_t)n * sizeof *next);
    int depth = 0;
    bool *seen = vg_arena_alloc(arena, (size_t)n * sizeof *seen);
    stack[depth++] = g->num_blocks;
    seen[g->num_blocks] = true;
    *count = 0;
    while (depth > 0) {
        const int b = stack[depth - 1];
        if (next[b] < num_pred[b]) {
            const int p = pred[b][next[b]++];
            if (!seen[p]) {
                seen[p] = true;
                stack[depth++] = p;
            }
        } else {
            number[b] = *count;
            order[(*count)++] = b;
            depth--;
        }
    }
}

static void find_post_dominators(vg_arena *arena, cfg *g) {
    const int n = g->num_blocks + 1, end = g->num_blocks;
    int *order = vg_arena_alloc(arena, (size_t)n * sizeof *order);
    int *number = vg_arena_alloc(arena, (size_t)n * sizeof *number);
    int *idom = vg_arena_alloc(arena, (size_t)n * sizeof *idom);
    int count;
    for (int b = 0; b < n; b++) {
        number[b] = -1;
        idom[b] = -1;
    }
    number_backwards(arena, g, order, number, &count);
    idom[end] = end;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = count - 2; i >= 0; i--) { /* the end has the highest number */
            const int b = order[i];
            int best = -1;
            for (int s = 0; s < g->block[b].num_succ; s++) {
                int to = g->block[b].succ[s];
                if (number[to] < 0 || idom[to] < 0)
                    continue;
                int other = best;
                best = best < 0 ? to : best;
                while (other >= 0 && other != to) {
                    if (number[other] < number[to])
                        other = idom[other];
                    else
                        to = idom[to];
                    best = other;
                }
            }
            if (best != idom[b]) {
                idom[b] = best;
                changed = true;
            }
        }
    }
    for (int b = 0; b < g->num_blocks; b++)
        g->block[b].ipdom = idom[b];
}

/* True if lanes that come to the block end there, having done nothing more. */
static bool only_ends_lanes(const cfg *g, int b, bool is_entry) {
    int i = g->block[b].first;
    while (i < g->block[b].end && g->instr[i]->op == NULL)
        i++;
    return i < g->block[b].end && cfg_flow(g->instr[i]) == FLOW_END &&
           (is_entry || g->instr[i]->code->flow == GOES_NOWHERE);
}

/* Marks the blocks where lanes meet, and takes meeting places away that are none. */
static void place_joins(cfg *g, bool is_entry) {
    for (int b = 0; b < g->num_blocks; b++) {
        cfg_block *block = &g->block[b];
        const enum flow flow = cfg_flow(g->instr[block->end - 1]);
        if (block->ipdom < 0 || block->ipdom == g->num_blocks ||
            (flow != FLOW_BRANCH_IF && flow != FLOW_RETURN_IF && flow != FLOW_TABLE))
            continue;
        if (only_ends_lanes(g, block->ipdom, is_entry))
            block->ipdom = g->num_blocks;
        else
            g->block[block->ipdom].is_join = true;
    }
}

cfg *cfg_build(vg_arena *arena, const ptx_func *func, const ptx_instr **astray) {
    cfg *g = vg_arena_alloc(arena, sizeof *g);
    g->instr = vg_arena_alloc(arena, (size_t)(func->num_instrs + 1) * sizeof *g->instr);
    for (const ptx_instr *in = func->first; in != NULL; in = in->next)
        g->instr[g->num_instrs++] = in;
    split_blocks(arena, g);
    *astray = link_blocks(arena, g, func);
    if (*astray != NULL)
        return NULL;
    find_post_dominators(arena, g);
    place_joins(g, func->is_entry);
    return g;
}
