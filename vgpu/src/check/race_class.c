/*
 * race_class.c: what each memory instruction of a kernel counts as for the race detector, from its
 * PTX alone: a read, a write, or atomic. Loads and stores that name a memory order are atomic.
 *
 * PTX counts volatile accesses as relaxed ones, which never race with each other. That is what a
 * flag between blocks is made of, with fences around it. But in shared memory most programs that
 * say volatile mean something else: that the threads of a warp run in step, which they do not. So
 * volatile accesses to shared memory count as atomic in kernels that have a fence, where they name
 * a variable, as flags do, and not a place in an array that differs from thread to thread. An array
 * with an element for each thread of a warp is one of those, also where a thread uses s[0] by name.
 * Those to global memory count as atomic with a fence; without any they stay reads and writes, and
 * what is told of two of them is race_states.h's.
 */
#include "vgpu/src/check/race.h"
#include "vgpu/src/core/opcodes.h"

#include <stdlib.h>

/* What grid.sync() is made of names orders, too, and orders blocks only. */
bool race_has_fences(const program *p) {
    for (int i = 0; i < p->num_ops; i++) {
        const ptx_instr *in = p->ops[i].ptx;
        if (in != NULL && in->scope >= SCOPE_GPU &&
            (in->code->memory == MEM_FENCE || (!p->uses_workspace && in->order >= ORDER_ACQUIRE)))
            return true;
    }
    return false;
}

bool race_is_weak(const program *p) {
    for (int i = 0; i < p->num_ops && !race_has_fences(p); i++) {
        const op *o = &p->ops[i];
        if (o->ptx != NULL && o->plain != NULL && o->ptx->order == ORDER_VOLATILE &&
            (o->space == PS_GLOBAL || o->space == PS_GENERIC))
            return true;
    }
    return false;
}

bool race_is_strong(const race_checker *c, uint32_t op) {
    const ptx_instr *in = c->program->ops[op].ptx;
    return c->class_of[op] == RACE_ATOMIC || (in != NULL && in->order == ORDER_VOLATILE);
}

static bool has_any_fence(const program *p) {
    for (int i = 0; i < p->num_ops; i++)
        if (p->ops[i].ptx != NULL && p->ops[i].ptx->code->memory == MEM_FENCE)
            return true;
    return false;
}

/* A volatile access that a flag may be made of; see the top. */
static bool is_flag(const op *o) {
    const ptx_instr *in = o->ptx;
    if (in->order != ORDER_VOLATILE || o->space == PS_LOCAL)
        return false;
    if (o->space != PS_SHARED)
        return true;
    const ptx_operand *at = &in->operand[in->code->memory == MEM_STORE ? 0 : 1];
    if (at->kind != PO_ADDR || at->elem[0].kind != PO_SYMBOL)
        return false;
    const uint64_t size = at->elem[0].var->size; /* 0: as many bytes as the launch says */
    return size > 0 && size < (uint64_t)VG_LANES * o->bytes;
}

/* The access names an order of memory; or it is volatile, and fences stand around it. */
static bool is_ordered(const op *o, bool fence) {
    return o->ptx->order >= ORDER_RELAXED || (fence && is_flag(o));
}

bool race_has_locks(const program *p) {
    const bool any = has_any_fence(p);
    bool fence = any, lock = false;
    for (int i = 0; i < p->num_ops; i++) {
        const ptx_instr *in = p->ops[i].ptx;
        if (in == NULL)
            continue;
        const enum ptx_memory memory = in->code->memory;
        const bool atom = memory == MEM_ATOMIC, red = memory == MEM_REDUCTION;
        /* What grid.sync() is made of names orders, too, and orders blocks only. */
        fence =
            fence || (!p->uses_workspace && p->ops[i].plain != NULL && in->order >= ORDER_ACQUIRE);
        lock = lock || (atom && (in->atom == ATOM_CAS || in->atom == ATOM_EXCH)) ||
               (p->ops[i].plain != NULL && !atom && !red && is_ordered(&p->ops[i], any));
    }
    return fence && lock;
}

enum { MAX_NAMES = 16 }; /* registers that one loaded value is followed through */

static bool is_one_of(const ptx_operand *o, const ptx_var *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (o->kind == PO_REG && o->var == names[i])
            return true;
    return false;
}

/* The registers that hold what `in` loads, as moves carry it on. */
static int carried(const program *p, const ptx_instr *in, const ptx_var *names[MAX_NAMES]) {
    int count = 1;
    names[0] = in->operand[0].var;
    for (int before = 0; before != count;) {
        before = count;
        for (int i = 0; i < p->num_ops && count < MAX_NAMES; i++) {
            const ptx_instr *move = p->ops[i].ptx;
            if (move != NULL && move->code->id == PTX_MOV && move->operand[0].kind == PO_REG &&
                is_one_of(&move->operand[1], names, count) &&
                !is_one_of(&move->operand[0], names, count))
                names[count++] = move->operand[0].var;
        }
    }
    return count;
}

/* The register or variable that an address is made of, as far back as moves, changes of space and
 * constants that are added go; *offset: how far behind it. */
static const ptx_var *root_of(const program *p, const ptx_operand *base, uint64_t *offset) {
    *offset = base->bits;
    for (int steps = 0; steps < MAX_NAMES && base->kind == PO_REG; steps++) {
        const ptx_instr *made = NULL;
        int times = 0;
        for (int i = 0; i < p->num_ops; i++) {
            const ptx_instr *in = p->ops[i].ptx;
            if (in == NULL || in->num_operands < 2 || in->operand[0].kind != PO_REG ||
                in->operand[0].var != base->var || made == in)
                continue;
            made = in;
            times++;
        }
        const bool adds = times == 1 && made->code->id == PTX_ADD && made->num_operands == 3 &&
                          made->operand[2].kind == PO_INT;
        if (times != 1 || (made->code->id != PTX_MOV && made->code->id != PTX_CVTA && !adds) ||
            (made->operand[1].kind != PO_REG && made->operand[1].kind != PO_SYMBOL))
            break;
        *offset += (adds ? made->operand[2].bits : 0) + made->operand[1].bits;
        base = &made->operand[1];
    }
    return base->var;
}

/* Do two operands name the same place? */
static bool same_address(const program *p, const ptx_operand *a, const ptx_operand *b) {
    if (a->kind != PO_ADDR || b->kind != PO_ADDR || a->num_elem != 1 || b->num_elem != 1)
        return false;
    uint64_t at_a = 0, at_b = 0;
    const ptx_var *from_a = root_of(p, &a->elem[0], &at_a),
                  *from_b = root_of(p, &b->elem[0], &at_b);
    return from_a == from_b && at_a == at_b;
}

/* The load in front of a compare-and-swap loop (old = *p; do … while (atomicCAS(p, old, …) …)):
 * what it reads is only believed if the swap finds it again, so it counts as atomic, as everybody
 * who writes this means it. */
static bool begins_swap(const program *p, int at) {
    const ptx_instr *in = p->ops[at].ptx;
    if (in == NULL || in->code->memory != MEM_LOAD || in->operand[0].kind != PO_REG)
        return false;
    const ptx_var *names[MAX_NAMES];
    int count = 0;
    for (int i = 0; i < p->num_ops; i++) {
        const ptx_instr *swap = p->ops[i].ptx;
        if (p->ops[i].access != VG_ATOMIC || p->ops[i].bytes != p->ops[at].bytes || swap == NULL ||
            swap->atom != ATOM_CAS || !same_address(p, &in->operand[1], &swap->operand[1]))
            continue;
        count = count == 0 ? carried(p, in, names) : count;
        if (is_one_of(&swap->operand[2], names, count))
            return true;
    }
    return false;
}

bool race_classify(race_checker *c, const program *p) {
    free(c->class_of);
    c->class_of = calloc((size_t)p->num_ops + 1, sizeof *c->class_of);
    if (c->class_of == NULL)
        return false;
    const bool fence = has_any_fence(p);
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        const bool atomic = o->access == VG_ATOMIC ||
                            (o->ptx != NULL && o->plain != NULL && is_ordered(o, fence)) ||
                            begins_swap(p, i);
        c->class_of[i] = atomic ? RACE_ATOMIC : o->access == VG_WRITE ? RACE_WRITE : RACE_READ;
    }
    return true;
}
