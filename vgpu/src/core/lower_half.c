/*
 * lower_half.c: instructions on float16, bfloat16 and pairs of them. Vector code stands behind the
 * plain forms (ops_half.c); forms with modifiers become "half.modified", a lane at a time.
 */
#include "vgpu/src/core/fuse.h"
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_half.h"
#include "vgpu/src/core/ops_lane.h"

#include <stdio.h>
#include <string.h>

bool lower_is_half(enum ptx_type t) {
    return t == PT_F16 || t == PT_F16X2 || t == PT_BF16 || t == PT_BF16X2;
}

static bool is_pair(enum ptx_type t) {
    return t == PT_F16X2 || t == PT_BF16X2;
}

static uint32_t type_flags(enum ptx_type t) {
    return (t == PT_BF16 || t == PT_BF16X2 ? HALF_BFLOAT : 0) | (is_pair(t) ? HALF_PAIR : 0);
}

static const char *half_name(enum ptx_type t) {
    return t == PT_F16 ? "f16" : t == PT_F16X2 ? "f16x2" : t == PT_BF16 ? "bf16" : "bf16x2";
}

/* The register type of a half or a pair. */
static enum ptx_type bits_of(enum ptx_type t) {
    return is_pair(t) ? PT_B32 : PT_B16;
}

static uint32_t modifiers(const ptx_instr *in) {
    return (lower_has(in, "ftz") ? HALF_FTZ : 0) | (lower_has(in, "sat") ? HALF_SAT : 0) |
           (lower_has(in, "relu") ? HALF_RELU : 0) | (lower_has(in, "NaN") ? HALF_KEEP_NAN : 0) |
           (lower_has(in, "xorsign") ? HALF_XORSIGN : 0);
}

static uint32_t operation_of(lowerer *lw, const ptx_instr *in) {
    switch (in->code->id) {
    case PTX_ADD: return HALF_ADD;
    case PTX_SUB: return HALF_SUB;
    case PTX_MUL: return HALF_MUL;
    case PTX_FMA: return HALF_FMA;
    case PTX_MIN: return HALF_MIN;
    case PTX_MAX: return HALF_MAX;
    case PTX_ABS: return HALF_ABS;
    case PTX_NEG: return HALF_NEG;
    case PTX_EX2: return HALF_EX2;
    case PTX_TANH: return HALF_TANH;
    default: lower_unsupported(lw);
    }
}

void lower_half_arithmetic(lowerer *lw, const ptx_instr *in, int sources) {
    const enum ptx_type t = in->type[0], r = bits_of(t);
    const uint32_t flags = modifiers(in), operation = operation_of(lw, in);
    if (lower_rounding(in) != 0 || lower_has(in, "oob"))
        lower_unsupported(lw);
    const int negated = lower_has(in, PTX_NEGATED_A) ? 1 : lower_has(in, PTX_NEGATED_C) ? 3 : 0;
    char key[32] = "half.modified";
    if (flags == 0 && operation < HALF_EX2)
        snprintf(key, sizeof key, "%s.%s", in->op, half_name(t));
    uint32_t minus = 0;
    if (negated != 0) { /* of a fused difference */
        char neg[32];
        snprintf(neg, sizeof neg, "neg.%s", half_name(t));
        const uint32_t from = lower_src(lw, &in->operand[negated], r);
        minus = lower_new_row(lw, 4);
        op *o = lower_emit(lw, neg);
        o->d = minus;
        o->a = from;
    }
    op *o =
        lower_emit_dabc(lw, in, key, r, r, sources > 1 ? r : PT_NONE, sources > 2 ? r : PT_NONE);
    o->aux = operation | type_flags(t) | flags;
    o->a = negated == 1 ? minus : o->a;
    o->c = negated == 3 ? minus : o->c;
}

/* A row with its subnormals made zeros. */
static uint32_t flushed(lowerer *lw, uint32_t row, enum ptx_type t) {
    const uint32_t plus_zero = lower_const(lw, 0, 4), d = lower_new_row(lw, 4);
    op *o = lower_emit(lw, "half.modified");
    o->d = d;
    o->a = row;
    o->b = plus_zero;
    o->aux = HALF_NEG | type_flags(t) | HALF_FTZ; /* there and back: signs survive */
    const uint32_t back = lower_new_row(lw, 4);
    o = lower_emit(lw, "half.modified");
    o->d = back;
    o->a = d;
    o->aux = HALF_NEG | type_flags(t) | HALF_FTZ;
    return back;
}

static uint32_t half_of(lowerer *lw, uint32_t row, int shift) {
    const uint32_t d = lower_new_row(lw, 4);
    op *o = lower_emit(lw, "half.of");
    o->d = d;
    o->a = row;
    o->imm = shift;
    return d;
}

static void emit_setp(lowerer *lw, const char *key, uint32_t d, uint32_t e, uint32_t a, uint32_t b,
                      uint32_t c, uint32_t aux) {
    op *o = lower_emit(lw, key);
    o->d = d;
    o->e = e;
    o->a = a;
    o->b = b;
    o->c = c;
    o->aux = aux;
}

/* setp: of single halves p and its opposite q; of pairs p for the low and q for the high halves. */
void lower_half_setp(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    const ptx_operand *d = &in->operand[0];
    const bool two = d->kind == PO_PAIR;
    char key[32];
    snprintf(key, sizeof key, "setp.%s.%s", lower_float_comparison(lw, in),
             t == PT_F16 || t == PT_F16X2 ? "f16" : "bf16");
    uint32_t a = lower_src(lw, &in->operand[1], bits_of(t)),
             b = lower_src(lw, &in->operand[2], bits_of(t));
    if (lower_has(in, "ftz")) {
        a = flushed(lw, a, t);
        b = flushed(lw, b, t);
    }
    uint32_t aux = 0;
    const uint32_t c = lower_combination(lw, in, &aux);
    const uint32_t p = lower_dst(lw, two ? &d->elem[0] : d, PT_PRED),
                   q = two ? lower_dst(lw, &d->elem[1], PT_PRED) : 0;
    if (!is_pair(t)) {
        emit_setp(lw, key, p, q, a, b, c, aux);
        return;
    }
    if (!two)
        lower_fail(lw, VG_INVALID_PTX, "a comparison of pairs needs two destinations");
    /* The destinations may be the third predicate's register: both answers first. */
    const uint32_t first = lower_new_row(lw, 1);
    emit_setp(lw, key, first, 0, half_of(lw, a, 0), half_of(lw, b, 0), c, aux);
    emit_setp(lw, key, q, 0, half_of(lw, a, 16), half_of(lw, b, 16), c, aux);
    lower_emit_mov(lw, p, first, 1);
}

void lower_half_set(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type d = in->type[0], t = in->type[1];
    const char *name = lower_float_comparison(lw, in);
    uint32_t aux = 0;
    while (strcmp(half_comparisons[aux], name) != 0)
        aux++;
    if (lower_has(in, "and") || lower_has(in, "or") || lower_has(in, "xor"))
        lower_unsupported(lw);
    aux |= type_flags(t) | (lower_has(in, "ftz") ? HALF_FTZ : 0);
    aux |= lower_is_half(d) ? 0 : HALF_MASK;
    if (!is_pair(t) && ptx_type_size(d) == 4)
        aux = d == PT_F32 ? (aux & ~(uint32_t)HALF_MASK) | HALF_WHOLE : aux | HALF_WHOLE;
    else if (ptx_type_size(d) != ptx_type_size(t))
        lower_unsupported(lw);
    const enum ptx_type r = ptx_type_size(d) == 4 ? PT_B32 : PT_B16;
    lower_emit_dabc(lw, in, "half.set", r, bits_of(t), bits_of(t), PT_NONE)->aux = aux;
}

void lower_half_cvt(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type d = in->type[0], s = in->type[1];
    const bool relu = lower_has(in, "relu"), away = lower_has(in, "rna");
    if (s != PT_F32 || (!is_pair(d) && d != PT_TF32) || lower_has(in, "satfinite"))
        lower_unsupported(lw);
    if (d == PT_TF32) {
        op *o = lower_emit_dabc(lw, in, "cvt.tf32", PT_B32, PT_F32, PT_NONE, PT_NONE);
        o->aux = CVT_MAKE(d, s, away ? 2 : lower_rounding(in), relu ? CVT_RELU : 0);
        return;
    }
    const enum ptx_type half = d == PT_F16X2 ? PT_F16 : PT_BF16;
    lower_emit_dabc(lw, in, "cvt.pair", PT_B32, PT_F32, PT_F32, PT_NONE)->aux =
        CVT_MAKE(half, s, lower_rounding(in), relu ? CVT_RELU : 0);
}
