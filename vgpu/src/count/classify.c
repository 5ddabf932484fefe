/* classify.c: see classify.h. */
#include "vgpu/src/count/classify.h"

#include "vgpu/src/core/opcodes.h"

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
    static const uint32_t flops[] = {
        [WORK_FMA] = 2, [WORK_ADD] = 1, [WORK_MUL] = 1, [WORK_SPECIAL] = 1};
    uint32_t elements;
    const enum vg_counter first = first_of_type(in->type[0], &elements);
    if (first == VGC_COUNT)
        return;
    c->operation = (enum vg_counter)(first + (in->code->work - WORK_FMA));
    c->elements = elements;
    c->flops = elements * flops[in->code->work];
}

/* mma.sync…m16n8k8…, wmma.mma…m16n16k16…: m * n * k multiply-adds a warp */
static void matrix(const ptx_instr *in, vg_class *c) {
    int m, n, k;
    if (!ptx_matrix_shape(in, &m, &n, &k))
        return;
    c->operation = VGC_MMA;
    c->elements = 1;
    c->flops = 2 * (uint32_t)(m * n * k);
}

vg_class vg_classify(const ptx_instr *in) {
    vg_class c = {.operation = VGC_COUNT};
    if (in == NULL)
        return c;
    const ptx_opcode *code = in->code;
    c.branch = code->flow == GOES_TO_LABEL || code->flow == GOES_BY_TABLE;
    c.call = code->flow == GOES_TO_CALLEE;
    c.barrier = (code->is & MEETING) != 0;
    c.argument = (code->memory == MEM_LOAD || code->memory == MEM_STORE) && in->space == PS_PARAM;
    if (code->memory == MEM_COPY)
        c.operation = VGC_ASYNC_COPIES;
    else if (code->work == WORK_MATRIX)
        matrix(in, &c);
    else if (code->work != WORK_NONE)
        arithmetic(in, &c);
    return c;
}
