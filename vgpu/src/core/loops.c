/*
 * loops.c: see loops.h. A loop is a set of blocks that all lead to each other (Tarjan's strongly
 * connected components), with the loops inside it. Its deciding registers are found from its
 * branches backwards: what they look at, and what those registers are made from in the loop.
 */
#include "vgpu/src/core/loops.h"

#include "vgpu/src/core/registers.h"

typedef struct finder {
    lowerer *lw;
    const lowered_func *lf;
    int *loop_of;                /* of each block, from 0 in the order in which they are closed */
    int *num_blocks;             /* of each loop */
    int *first_seen, *reaches;   /* Tarjan's numbers, from 1; 0: not yet */
    int *open, *way, *next_succ; /* blocks of no loop yet; the way to the block at hand */
    int num_seen, num_open, num_loops;
    const ptx_var **deciding; /* by register index; NULL: it does not decide */
    bool changed;
} finder;

static void enter_block(finder *f, int b, int *depth) {
    f->first_seen[b] = f->reaches[b] = ++f->num_seen;
    f->open[f->num_open++] = b;
    f->way[(*depth)++] = b;
}

/* All that lie on the stack above b, and b, lead to each other. */
static void close_loop(finder *f, int b) {
    int last;
    do {
        last = f->open[--f->num_open];
        f->loop_of[last] = f->num_loops;
        f->num_blocks[f->num_loops]++;
    } while (last != b);
    f->num_loops++;
}

static void walk_from(finder *f, int start) {
    const cfg *g = f->lf->graph;
    int depth = 0;
    enter_block(f, start, &depth);
    while (depth > 0) {
        const int b = f->way[depth - 1];
        if (f->next_succ[b] < g->block[b].num_succ) {
            const int to = g->block[b].succ[f->next_succ[b]++];
            if (to >= g->num_blocks)
                continue;
            if (f->first_seen[to] == 0)
                enter_block(f, to, &depth);
            else if (f->loop_of[to] < 0 && f->first_seen[to] < f->reaches[b])
                f->reaches[b] = f->first_seen[to];
            continue;
        }
        depth--;
        if (f->reaches[b] == f->first_seen[b])
            close_loop(f, b);
        if (depth > 0 && f->reaches[b] < f->reaches[f->way[depth - 1]])
            f->reaches[f->way[depth - 1]] = f->reaches[b];
    }
}

static void decides(const ptx_var *v, bool is_def, void *arg) {
    finder *f = arg;
    if (is_def || f->deciding[v->index] != NULL)
        return;
    f->deciding[v->index] = v;
    f->changed = true;
}

typedef struct question {
    const finder *f;
    bool guarded, yes;
} question;

static void ask_if_deciding(const ptx_var *v, bool is_def, void *arg) {
    question *q = arg;
    q->yes |= (is_def || q->guarded) && q->f->deciding[v->index] != NULL;
}

/* Does it write a register that decides? Under a guard its destination is not told from a source:
 * what reads one counts, too. */
static bool makes_deciding(const finder *f, const ptx_instr *in) {
    question q = {f, in->guard != NULL, false};
    if ((in->code->is & NO_RESULT) == 0)
        lower_visit_registers(in, ask_if_deciding, &q);
    return q.yes;
}

/* The deciding registers of a loop, in f->deciding. False if what decides may be somewhere else: in
 * a function that it calls, or in the carry of an addition. */
static bool find_deciding(finder *f, int loop) {
    const cfg *g = f->lf->graph;
    for (int r = 0; r < f->lf->func->num_regs; r++)
        f->deciding[r] = NULL;
    do {
        f->changed = false;
        for (int b = g->num_blocks - 1; b >= 0; b--) {
            for (int i = g->block[b].end - 1; f->loop_of[b] == loop && i >= g->block[b].first;
                 i--) {
                const ptx_instr *in = g->instr[i];
                if (in->op == NULL)
                    continue;
                if (in->code->flow == GOES_TO_CALLEE)
                    return false;
                if (in->code->flow == GOES_ON && !makes_deciding(f, in))
                    continue;
                if ((in->code->is & READS_CARRY) != 0)
                    return false;
                lower_visit_registers(in, decides, f);
            }
        }
    } while (f->changed);
    return true;
}

static loop_rows *rows_of(const finder *f) {
    const lowered_func *lf = f->lf;
    const int n = lf->func->num_regs;
    loop_rows *rows = vg_arena_alloc(f->lw->arena, sizeof *rows);
    rows->row = vg_arena_alloc(f->lw->arena, ((size_t)n + 1) * sizeof *rows->row);
    for (int r = 0; r < n; r++)
        if (f->deciding[r] != NULL && lf->row_of[r] != 0)
            rows->row[rows->count++] = (loop_row){lf->row_of[r], lf->width_of[r]};
    return rows;
}

/* Tells the branches of the loop. */
static void name_rows(finder *f, int loop) {
    program *p = &f->lw->program;
    p->loops = vg_arena_grow(f->lw->arena, p->loops, (size_t)p->num_loops, sizeof *p->loops);
    p->loops[p->num_loops++] = rows_of(f);
    for (int b = 0; b < f->lf->graph->num_blocks; b++) {
        for (int i = f->lf->op_of_block[b]; f->loop_of[b] == loop && i < f->lf->op_of_block[b + 1];
             i++) {
            op *o = &f->lw->ops[i];
            if (o->ptx != NULL && o->ptx->code->flow == GOES_TO_LABEL)
                o->c = (uint32_t)p->num_loops;
        }
    }
}

/* Does the block lead back to itself, by others or at once? */
static bool goes_round(const finder *f, int b) {
    bool back = f->num_blocks[f->loop_of[b]] > 1;
    for (int s = 0; s < f->lf->graph->block[b].num_succ; s++)
        back |= f->lf->graph->block[b].succ[s] == b;
    return back;
}

void lower_find_loops(lowerer *lw, const lowered_func *lf) {
    const cfg *g = lf->graph;
    const size_t n = (size_t)g->num_blocks + 1;
    finder f = {.lw = lw, .lf = lf};
    int **each[] = {&f.loop_of, &f.num_blocks, &f.first_seen, &f.reaches,
                    &f.open,    &f.way,        &f.next_succ};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = vg_arena_alloc(lw->arena, n * sizeof **each[i]);
    f.deciding = vg_arena_alloc(lw->arena, ((size_t)lf->func->num_regs + 1) * sizeof *f.deciding);
    for (int b = 0; b < g->num_blocks; b++)
        f.loop_of[b] = -1;
    for (int b = 0; b < g->num_blocks; b++)
        if (f.first_seen[b] == 0)
            walk_from(&f, b);
    bool *done = vg_arena_alloc(lw->arena, n * sizeof *done);
    for (int b = 0; b < g->num_blocks; b++) {
        const int loop = f.loop_of[b];
        if (!done[loop] && goes_round(&f, b) && find_deciding(&f, loop))
            name_rows(&f, loop);
        done[loop] = true;
    }
}
