/* copied.c: see copied.h. */
#include "vgpu/src/check/copied.h"

#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/core/pages.h"

#include <stdlib.h>
#include <string.h>

enum { ON_THE_WAY = 256, LONGEST = 256 };

/* What an op copies. */
typedef struct copied {
    const op *from;        /* stores: the load whose value it is; NULL: not one of ours */
    uint32_t before, span; /* loads: see vg_copies_span; span 0: not one of ours */
    bool used;             /* loads: a part of the value is used otherwise */
} copied;

/* Values on their way from a load to a store. A place that another load needs is given up: then its
 * store counts as of all bytes. */
typedef struct on_the_way {
    const op *load; /* NULL: free */
    const warp *warp;
    uint32_t missing[VG_LANES];
} on_the_way;

struct vg_copies {
    const op *ops;
    copied *of; /* of each op */
    on_the_way *way;
    bool any; /* some place of `way` has been in use */
};

/* A register where an instruction names it. */
typedef struct mention {
    const ptx_var *var;
    const ptx_instr *instr;
    enum { OTHERWISE, LOADED, STORED } as;
} mention;

typedef struct mentions {
    mention *at;
    size_t count, room;
    bool out_of_memory;
} mentions;

/* ---- which loads are copied ---- */

static void mention_var(mentions *m, const ptx_var *var, const ptx_instr *in, int as) {
    if (var == NULL)
        return;
    if (m->count == m->room) {
        const size_t room = m->room == 0 ? 1024 : 2 * m->room;
        mention *more = realloc(m->at, room * sizeof *more);
        if (more == NULL) {
            m->out_of_memory = true;
            return;
        }
        m->at = more;
        m->room = room;
    }
    m->at[m->count++] = (mention){var, in, as};
}

/* All registers of an operand. */
static void mention_operand(mentions *m, const ptx_operand *o, const ptx_instr *in, int as) {
    mention_var(m, o->var, in, as);
    for (int i = 0; i < o->num_elem; i++)
        mention_operand(m, &o->elem[i], in, o->kind == PO_VECTOR ? as : OTHERWISE);
}

static bool is_of_integers(const ptx_instr *in) {
    switch (in->type[0]) {
    case PT_F16:
    case PT_F16X2:
    case PT_BF16:
    case PT_BF16X2:
    case PT_F32:
    case PT_F64: return false;
    default: return true;
    }
}

static void mention_all(mentions *m, const ptx_func *func) {
    for (const ptx_instr *in = func->first; in != NULL; in = in->next) {
        const int memory = in->code != NULL && in->num_operands == 2 ? in->code->memory : MEM_NONE;
        const int as[2] = {memory == MEM_LOAD && is_of_integers(in) ? LOADED : OTHERWISE,
                           memory == MEM_STORE ? STORED : OTHERWISE};
        mention_var(m, in->guard, in, OTHERWISE);
        for (int i = 0; i < in->num_operands; i++)
            mention_operand(m, &in->operand[i], in, i < 2 ? as[i] : OTHERWISE);
    }
}

static int compare_mentions(const void *a, const void *b) {
    const mention *x = a, *y = b;
    return x->var < y->var ? -1 : x->var > y->var;
}

static bool is_same_value(const ptx_operand *a, const ptx_operand *b) {
    if (a->kind != b->kind || a->var != b->var || a->num_elem != b->num_elem)
        return false;
    for (int i = 0; i < a->num_elem; i++)
        if (!is_same_value(&a->elem[i], &b->elem[i]))
            return false;
    return true;
}

/* The op that carries out the access; NULL: none, it is not observed. */
static const op *op_of(const program *p, const ptx_instr *in) {
    for (int i = 0; i < p->num_ops; i++)
        if (p->ops[i].plain != NULL && p->ops[i].ptx == in)
            return &p->ops[i];
    return NULL;
}

/* A register that is loaded once and then stored, and not used otherwise: notes from where the
 * stores have it. Another one's load is marked. */
static void take_register(vg_copies *c, const program *p, const mention *m, size_t count) {
    const op *from = NULL;
    int loads = 0, others = 0;
    for (size_t i = 0; i < count; i++) {
        loads += m[i].as == LOADED;
        from = m[i].as == LOADED ? op_of(p, m[i].instr) : from;
    }
    if (from == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        const op *to = m[i].as == STORED ? op_of(p, m[i].instr) : NULL;
        if (to != NULL && to->bytes == from->bytes &&
            is_same_value(&from->ptx->operand[0], &to->ptx->operand[1]))
            c->of[to - c->ops].from = from;
        else if (m[i].as != LOADED)
            others++;
    }
    c->of[from - c->ops].span = from->bytes;
    for (size_t i = 0; (loads > 1 || others > 0 || count == 1) && i < count; i++) {
        const op *load = m[i].as == LOADED ? op_of(p, m[i].instr) : NULL;
        if (load != NULL)
            c->of[load - c->ops].used = true;
    }
}

/* Leaves out loads of which some register is used otherwise. */
static void drop_used(vg_copies *c, const program *p) {
    for (int i = 0; i < p->num_ops; i++) {
        const op *from = c->of[i].from;
        if (c->of[i].used)
            c->of[i].span = 0;
        if (from != NULL && c->of[from - c->ops].used)
            c->of[i].from = NULL;
    }
}

/* ---- which of them are one struct ---- */

static const ptx_operand *address_of(const op *o) {
    return &o->ptx->operand[1];
}

static bool is_part_of(const op *o, const ptx_var *base, uint32_t space) {
    const ptx_operand *at = address_of(o);
    return at->kind == PO_ADDR && at->elem[0].var == base && o->space == space;
}

/* Grows the span of a load by those that lie directly before it or behind it. */
static void widen(vg_copies *c, const program *p, int i) {
    const op *o = &p->ops[i];
    const ptx_operand *at = address_of(o);
    if (at->kind != PO_ADDR || at->elem[0].var == NULL)
        return;
    int64_t begin = (int64_t)at->bits, end = begin + o->bytes;
    for (bool more = true; more && end - begin < LONGEST;) {
        more = false;
        for (int k = 0; k < p->num_ops && !more; k++) {
            const op *other = &p->ops[k];
            if (c->of[k].span == 0 || !is_part_of(other, at->elem[0].var, o->space))
                continue;
            const int64_t from = (int64_t)address_of(other)->bits, to = from + other->bytes;
            more = (from < begin && to >= begin) || (from <= end && to > end);
            begin = from < begin && to >= begin ? from : begin;
            end = from <= end && to > end ? to : end;
        }
    }
    c->of[i].before = (uint32_t)((int64_t)at->bits - begin);
    c->of[i].span = (uint32_t)(end - begin);
}

vg_copies *vg_copies_create(const program *p) {
    mentions m = {0};
    vg_copies *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->ops = p->ops;
    c->of = calloc((size_t)p->num_ops + 1, sizeof *c->of);
    c->way = vg_pages_alloc(ON_THE_WAY, sizeof *c->way);
    for (int i = 0; i < p->num_funcs; i++)
        mention_all(&m, p->funcs[i].func);
    if (m.out_of_memory || c->of == NULL || c->way == NULL) {
        free(m.at);
        vg_copies_destroy(c);
        return NULL;
    }
    if (m.count > 0)
        qsort(m.at, m.count, sizeof *m.at, compare_mentions);
    for (size_t i = 0, end; i < m.count; i = end) {
        for (end = i + 1; end < m.count && m.at[end].var == m.at[i].var; end++)
            ;
        take_register(c, p, &m.at[i], end - i);
    }
    free(m.at);
    drop_used(c, p);
    for (int i = 0; i < p->num_ops; i++)
        if (c->of[i].span > 0)
            widen(c, p, i);
    return c;
}

void vg_copies_destroy(vg_copies *c) {
    if (c == NULL)
        return;
    free(c->of);
    vg_pages_free(c->way);
    free(c);
}

/* ---- values on their way ---- */

bool vg_copies_span(const vg_copies *c, const op *load, uint32_t *before, uint32_t *span) {
    const copied *of = &c->of[load - c->ops];
    *before = of->before;
    *span = of->span;
    return of->span > 0;
}

static on_the_way *place_of(const vg_copies *c, const op *load, const warp *w) {
    return &c->way[((size_t)(load - c->ops) * 37 + w->index) % ON_THE_WAY];
}

void vg_copies_clear(vg_copies *c) {
    if (c == NULL || !c->any)
        return;
    for (int i = 0; i < ON_THE_WAY; i++)
        c->way[i].load = NULL;
    c->any = false;
}

void vg_copies_note(vg_copies *c, const vg_access *load, uint32_t lane, uint32_t missing) {
    on_the_way *way = place_of(c, load->op, load->warp);
    if (way->load != load->op || way->warp != load->warp)
        *way = (on_the_way){.load = load->op, .warp = load->warp};
    way->missing[lane] = missing;
    c->any = true;
}

void vg_copies_forget(vg_copies *c, const vg_access *load) {
    if (c == NULL || !c->any || load->kind != VG_READ)
        return;
    on_the_way *way = place_of(c, load->op, load->warp);
    for (uint32_t mask = way->load == load->op && way->warp == load->warp ? load->mask : 0;
         mask != 0; mask &= mask - 1)
        way->missing[__builtin_ctz(mask)] = 0;
}

uint32_t vg_copies_missing(const vg_copies *c, const vg_access *store, uint32_t lane) {
    const op *load = c->of[store->op - c->ops].from;
    const on_the_way *way = load != NULL ? place_of(c, load, store->warp) : NULL;
    return way != NULL && way->load == load && way->warp == store->warp ? way->missing[lane] : 0;
}

bool vg_copies_any(const vg_copies *c, const vg_access *store) {
    uint32_t any = 0;
    if (c == NULL || !c->any || store->kind != VG_WRITE)
        return false;
    for (uint32_t mask = store->mask; mask != 0; mask &= mask - 1)
        any |= vg_copies_missing(c, store, (uint32_t)__builtin_ctz(mask));
    return any != 0;
}
