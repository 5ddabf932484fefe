/*
 * registers.c: see registers.h. Liveness by the usual backward data flow over the blocks, then one
 * pass over the text in order: each register occupies a row from its first to its last position
 * where it is mentioned or alive (holes are not used), and rows that fall free are taken again.
 */
#include "vgpu/src/core/registers.h"

enum { MAX_SET_WORDS = 1 << 22 }; /* 32 MiB a set: beyond any kernel a person would write */

typedef struct interval {
    int first, last; /* positions in the text; first > last: never mentioned */
} interval;

typedef struct allocator {
    lowerer *lw;
    lowered_func *lf;
    int num_regs, words;            /* registers, and 64-bit words of a set of them */
    uint64_t *use, *def, *in, *out; /* of each block: `words` words at block * words */
    interval *live;
    const ptx_var **var; /* by register index */
} allocator;

static void visit_operand(const ptx_operand *o, bool is_def, lower_visit_fn *visit, void *arg) {
    if (o->kind == PO_REG)
        visit(o->var, is_def, arg);
    for (int e = 0; e < o->num_elem; e++) {
        /* registers inside an address are read, whatever the operand is */
        visit_operand(&o->elem[e], is_def && o->kind != PO_ADDR, visit, arg);
    }
}

void lower_visit_registers(const ptx_instr *in, lower_visit_fn *visit, void *arg) {
    if (in->op == NULL)
        return;
    const bool defines = (in->code->is & NO_RESULT) == 0;
    if (in->guard != NULL)
        visit(in->guard, false, arg);
    for (int i = defines ? 1 : 0; i < in->num_operands; i++)
        visit_operand(&in->operand[i], false, visit, arg);
    if (defines && in->num_operands > 0) {
        /* under a guard the old value may survive: no new beginning */
        visit_operand(&in->operand[0], in->guard == NULL, visit, arg);
    }
}

static bool test(const uint64_t *set, int i) {
    return (set[i / 64] >> (i % 64) & 1) != 0;
}
static void put(uint64_t *set, int i) {
    set[i / 64] |= 1ull << (i % 64);
}

/* What a visit of registers is about: a block, or a position in the text. */
typedef struct place {
    allocator *al;
    int at;
} place;

static void note_local(const ptx_var *v, bool is_def, void *arg) {
    const place *p = arg;
    allocator *al = p->al;
    const int block = p->at;
    uint64_t *use = al->use + (size_t)block * (size_t)al->words,
             *def = al->def + (size_t)block * (size_t)al->words;
    al->var[v->index] = v;
    if (is_def)
        put(def, v->index);
    else if (!test(def, v->index))
        put(use, v->index);
}

static void solve_liveness(allocator *al) {
    const cfg *g = al->lf->graph;
    const size_t words = (size_t)al->words;
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = g->num_blocks - 1; b >= 0; b--) {
            uint64_t *in = al->in + (size_t)b * words, *out = al->out + (size_t)b * words;
            for (int s = 0; s < g->block[b].num_succ; s++) {
                const int to = g->block[b].succ[s];
                for (size_t i = 0; to < g->num_blocks && i < words; i++)
                    out[i] |= al->in[(size_t)to * words + i];
            }
            for (size_t i = 0; i < words; i++) {
                const uint64_t now =
                    al->use[(size_t)b * words + i] | (out[i] & ~al->def[(size_t)b * words + i]);
                changed |= now != in[i];
                in[i] = now;
            }
        }
    }
}

static void extend(allocator *al, int reg, int position) {
    interval *l = &al->live[reg];
    l->first = position < l->first ? position : l->first;
    l->last = position > l->last ? position : l->last;
}

static void note_position(const ptx_var *v, bool is_def, void *arg) {
    const place *p = arg;
    (void)is_def;
    extend(p->al, v->index, p->at);
}

static void find_intervals(allocator *al) {
    const cfg *g = al->lf->graph;
    for (int r = 0; r < al->num_regs; r++)
        al->live[r] = (interval){g->num_instrs, -1};
    for (int b = 0; b < g->num_blocks; b++) {
        for (int i = g->block[b].first; i < g->block[b].end; i++)
            lower_visit_registers(g->instr[i], note_position, &(place){al, i});
        for (int r = 0; r < al->num_regs; r++) {
            if (test(al->in + (size_t)b * (size_t)al->words, r))
                extend(al, r, g->block[b].first);
            if (test(al->out + (size_t)b * (size_t)al->words, r))
                extend(al, r, g->block[b].end - 1);
        }
    }
}

/* Registers in the order in which their intervals begin, linked by `next`; heads by position. */
static void sort_by_start(const allocator *al, int *head, int *next) {
    for (int i = 0; i < al->lf->graph->num_instrs; i++)
        head[i] = -1;
    for (int r = al->num_regs - 1; r >= 0; r--) {
        if (al->live[r].last >= 0) {
            next[r] = head[al->live[r].first];
            head[al->live[r].first] = r;
        }
    }
}

static int assign_rows(allocator *al) {
    vg_arena *arena = al->lw->arena;
    const int n = al->lf->graph->num_instrs;
    int *head = vg_arena_alloc(arena, (size_t)(n + 1) * sizeof *head);
    int *next = vg_arena_alloc(arena, (size_t)(al->num_regs + 1) * sizeof *next);
    /* Heads of lists by last position. */
    int *ending = vg_arena_alloc(arena, (size_t)(n + 1) * sizeof *ending);
    int *next_ending = vg_arena_alloc(arena, (size_t)(al->num_regs + 1) * sizeof *next_ending);
    uint32_t *free_row[2], num_free[2] = {0, 0}; /* 0: 32-bit rows, 1: 64-bit rows */
    free_row[0] = vg_arena_alloc(arena, (size_t)(al->num_regs + 1) * sizeof **free_row);
    free_row[1] = vg_arena_alloc(arena, (size_t)(al->num_regs + 1) * sizeof **free_row);
    sort_by_start(al, head, next);
    for (int i = 0; i < n; i++)
        ending[i] = -1;
    int alive = 0, most = 0;
    for (int i = 0; i < n; i++) {
        for (int r = head[i]; r >= 0; r = next[r]) {
            const uint32_t bytes = lane_bytes_of(al->var[r]->type);
            if (bytes == 1)
                continue;
            al->lf->width_of[r] = (uint8_t)bytes;
            const int wide = bytes == 8;
            al->lf->row_of[r] = num_free[wide] > 0 ? free_row[wide][--num_free[wide]]
                                                   : lower_new_row(al->lw, bytes);
            next_ending[r] = ending[al->live[r].last];
            ending[al->live[r].last] = r;
            alive += 1 + wide;
        }
        most = alive > most ? alive : most;
        /* Rows fall free behind the instruction: a source and a destination never share one, since
         * an instruction may become several ops. */
        for (int r = ending[i]; r >= 0; r = next_ending[r]) {
            const int wide = lane_bytes_of(al->var[r]->type) == 8;
            free_row[wide][num_free[wide]++] = al->lf->row_of[r];
            alive -= 1 + wide;
        }
    }
    return most;
}

int lower_allocate_registers(lowerer *lw, lowered_func *lf) {
    const cfg *g = lf->graph;
    allocator al = {.lw = lw,
                    .lf = lf,
                    .num_regs = lf->func->num_regs,
                    .words = (lf->func->num_regs + 63) / 64};
    const size_t set = (size_t)g->num_blocks * (size_t)al.words + 1;
    if (set > MAX_SET_WORDS)
        return lf->func->num_regs; /* every register gets a row of its own when it is first met */
    al.use = vg_arena_alloc(lw->arena, set * sizeof *al.use);
    al.def = vg_arena_alloc(lw->arena, set * sizeof *al.def);
    al.in = vg_arena_alloc(lw->arena, set * sizeof *al.in);
    al.out = vg_arena_alloc(lw->arena, set * sizeof *al.out);
    al.live = vg_arena_alloc(lw->arena, (size_t)(al.num_regs + 1) * sizeof *al.live);
    al.var = vg_arena_alloc(lw->arena, (size_t)(al.num_regs + 1) * sizeof *al.var);
    for (int b = 0; b < g->num_blocks; b++)
        for (int i = g->block[b].first; i < g->block[b].end; i++)
            lower_visit_registers(g->instr[i], note_local, &(place){&al, b});
    solve_liveness(&al);
    find_intervals(&al);
    return assign_rows(&al);
}
