/* classify.c: see classify.h. */
#include "vgpu/src/count/classify.h"

#include <stdio.h>
#include <string.h>

static bool has(const ptx_instr *in, const char *mod) {
    for (int i = 0; i < in->num_mods; i++)
        if (strcmp(in->mod[i], mod) == 0)
            return true;
    return false;
}

static bool is_one_of(const char *name, const char *const *list) {
    for (; *list != NULL; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

/* The first type among the modifiers: that of the result. */
static enum ptx_type result_type(const ptx_instr *in) {
    for (int i = 0; i < in->num_mods; i++) {
        const enum ptx_type t = ptx_type_named(in->mod[i]);
        if (t != PT_NONE)
            return t;
    }
    return PT_NONE;
}

/* Where the four counters of a type begin (fma, add, mul, special), or VGC_COUNT. */
static enum vg_counter first_of_type(enum ptx_type t, uint32_t *elements) {
    *elements = 1;
    switch (t) {
    case PT_F32: return VGC_FMA;
    case PT_F64: return VGC_FMA_DOUBLE;
    case PT_F16X2:
    case PT_BF16X2: *elements = 2; return VGC_FMA_HALF;
    case PT_F16:
    case PT_BF16: return VGC_FMA_HALF;
    default: return VGC_COUNT;
    }
}

static void arithmetic(const ptx_instr *in, vg_class *c) {
    static const char *const fma[] = {"fma", "mad", NULL}, *const add[] = {"add", "sub", NULL},
                             *const mul[] = {"mul", NULL}, *const special[] = {"div",  "rcp",
                                                                               "sqrt", "rsqrt",
                                                                               "sin",  "cos",
                                                                               "lg2",  "ex2",
                                                                               "tanh", NULL};
    uint32_t elements;
    const enum vg_counter first = first_of_type(result_type(in), &elements);
    if (first == VGC_COUNT)
        return;
    const int kind = is_one_of(in->op, fma)       ? 0
                     : is_one_of(in->op, add)     ? 1
                     : is_one_of(in->op, mul)     ? 2
                     : is_one_of(in->op, special) ? 3
                                                  : -1;
    if (kind >= 0) {
        c->operation = (enum vg_counter)((int)first + kind);
        c->elements = elements;
        c->flops = elements * (kind == 0 ? 2 : 1);
    }
}

/* mma.sync…m16n8k8…, wmma.mma…m16n16k16…: m * n * k multiply-adds a warp */
static void matrix(const ptx_instr *in, vg_class *c) {
    if (strcmp(in->op, "mma") != 0 && !(strcmp(in->op, "wmma") == 0 && has(in, "mma")))
        return;
    for (int i = 0; i < in->num_mods; i++) {
        unsigned m, n, k;
        if (sscanf(in->mod[i], "m%un%uk%u", &m, &n, &k) == 3) {
            c->operation = VGC_MMA;
            c->elements = 1;
            c->flops = 2 * m * n * k;
            return;
        }
    }
}

/* cp.async.ca.shared.global…, not its commits and waits */
static void async_copy(const ptx_instr *in, vg_class *c) {
    if (strcmp(in->op, "cp") == 0 && has(in, "async") && has(in, "global"))
        c->operation = VGC_ASYNC_COPIES;
}

vg_class vg_classify(const ptx_instr *in) {
    vg_class c = {.operation = VGC_COUNT};
    if (in == NULL || in->op == NULL)
        return c;
    c.branch = strcmp(in->op, "bra") == 0 || strcmp(in->op, "brx") == 0;
    c.call = strcmp(in->op, "call") == 0;
    c.barrier = (strcmp(in->op, "bar") == 0 || strcmp(in->op, "barrier") == 0) &&
                !has(in, "warp") && !has(in, "cluster");
    c.argument = (strcmp(in->op, "ld") == 0 || strcmp(in->op, "st") == 0) &&
                 (has(in, "param") || has(in, "param::func") || has(in, "param::entry"));
    arithmetic(in, &c);
    matrix(in, &c);
    async_copy(in, &c);
    return c;
}
