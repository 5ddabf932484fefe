/* fuse.c: see fuse.h. A product is fused when its register is set once and read once, by a sum
 * further down the same straight line, and its factors still are what they were. */
#include "vgpu/src/core/fuse.h"

#include "vgpu/src/core/opcodes.h"

/* mul or the like, with a half type and no other modifier. */
static bool is_plain_half(const ptx_instr *in, enum ptx_code code) {
    if (in->code->id != code || in->num_mods != 1 || in->num_operands != 3 || in->guard != NULL)
        return false;
    const enum ptx_type t = in->type[0];
    return t == PT_F16 || t == PT_F16X2 || t == PT_BF16 || t == PT_BF16X2;
}

static bool is_register(const ptx_operand *o, const ptx_var *v) {
    return o->kind == PO_REG && o->var == v;
}

static int mentions(const ptx_operand *o, const ptx_var *v) {
    int n = o->var == v;
    for (int i = 0; i < o->num_elem; i++)
        n += mentions(&o->elem[i], v);
    return n;
}

static int mentions_in(const ptx_func *f, const ptx_var *v) {
    int n = 0;
    for (const ptx_instr *in = f->first; in != NULL; in = in->next)
        for (int i = 0; in->op != NULL && i < in->num_operands; i++)
            n += mentions(&in->operand[i], v);
    return n;
}

/* Control goes on to the next instruction only, and comes from the one before only. */
static bool is_straight(const ptx_instr *in) {
    return in->op != NULL && in->code->flow == GOES_ON;
}

static bool changes(const ptx_instr *in, const ptx_operand *factor) {
    return factor->kind == PO_REG && in->num_operands > 0 &&
           mentions(&in->operand[0], factor->var) > 0;
}

/* The sum that may take the product in, or NULL. */
static ptx_instr *sum_of(const ptx_instr *product) {
    const ptx_var *v = product->operand[0].var;
    for (ptx_instr *in = product->next; in != NULL && is_straight(in); in = in->next) {
        const bool reads = in->num_operands > 2 &&
                           (is_register(&in->operand[1], v) || is_register(&in->operand[2], v));
        if (reads) {
            const bool sum = is_plain_half(in, PTX_ADD) || is_plain_half(in, PTX_SUB);
            return sum && in->type[0] == product->type[0] ? in : NULL;
        }
        if (changes(in, &product->operand[1]) || changes(in, &product->operand[2]))
            return NULL;
    }
    return NULL;
}

/* sum becomes fma: a * b + c, a * b - c or c - a * b. */
static void fuse(const ptx_instr *product, ptx_instr *sum) {
    const bool first = is_register(&sum->operand[1], product->operand[0].var);
    const ptx_operand c = sum->operand[first ? 2 : 1];
    const bool difference = sum->code->id == PTX_SUB;
    const char *type = sum->mod[0];
    sum->op = "fma";
    sum->mod[0] = "rn";
    sum->mod[1] = type;
    sum->num_mods = 2;
    if (difference)
        sum->mod[sum->num_mods++] = first ? PTX_NEGATED_C : PTX_NEGATED_A;
    sum->operand[1] = product->operand[1];
    sum->operand[2] = product->operand[2];
    sum->operand[3] = c;
    sum->num_operands = 4;
    ptx_decode(sum);
}

void ptx_fuse_halves(ptx_module *module) {
    for (ptx_func *f = module->funcs; f != NULL; f = f->next) {
        for (ptx_instr **at = &f->first; *at != NULL;) {
            const ptx_instr *in = *at;
            ptx_instr *sum = NULL;
            if (is_plain_half(in, PTX_MUL) && in->operand[0].kind == PO_REG &&
                mentions_in(f, in->operand[0].var) == 2)
                sum = sum_of(in);
            if (sum != NULL) {
                fuse(in, sum);
                *at = in->next;
                f->num_instrs--;
            } else {
                at = &(*at)->next;
            }
        }
    }
}
