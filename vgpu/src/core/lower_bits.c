/* lower_bits.c: logic, shifts, and instructions on single bits, fields and bytes. */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_lane.h"

#include <stdio.h>

void lower_fns(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "fns", PT_U32, PT_U32, PT_U32, PT_U32);
}
void lower_bmsk(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "bmsk", PT_U32, PT_U32, PT_U32, PT_NONE)->aux = lower_has(in, "wrap");
}
void lower_szext(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "szext", PT_U32, PT_U32, PT_U32, PT_NONE)->aux =
        (lower_has(in, "wrap") ? 1 : 0) | (in->type[0] == PT_S32 ? 2 : 0);
}

void lower_logic(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    const bool one = in->code->id == PTX_NOT || in->code->id == PTX_CNOT;
    char key[32];
    snprintf(key, sizeof key, "%s.%s", in->op,
             t == PT_PRED ? "pred" : lower_type_name(lower_unsigned_type(t)));
    op *o = lower_emit_dabc(lw, in, key, t, t, one ? PT_NONE : t, PT_NONE);
    if (t == PT_PRED)
        o->aux = in->operand[1].negated | (one ? 0 : in->operand[2].negated << 1);
}

void lower_shift(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    const bool is_signed = t == PT_S16 || t == PT_S32 || t == PT_S64;
    char key[32];
    snprintf(key, sizeof key, "%s.%s", in->op,
             lower_type_name(in->code->id == PTX_SHR && is_signed ? t : lower_unsigned_type(t)));
    lower_emit_dabc(lw, in, key, t, t, PT_U32, PT_NONE);
}

void lower_count(lowerer *lw, const ptx_instr *in) { /* popc, clz: 32-bit results */
    const enum ptx_type t = in->type[0];
    char key[32];
    snprintf(key, sizeof key, "%s.%s", in->op, lower_type_name(t));
    lower_emit_dabc(lw, in, key, PT_U32, t, PT_NONE, PT_NONE);
}
void lower_bfind(lowerer *lw, const ptx_instr *in) {
    lower_count(lw, in);
    lw->ops[lw->num_ops - 1].aux = lower_has(in, "shiftamt");
}
void lower_brev(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    lower_emit_dabc(lw, in, t == PT_B64 ? "brev.b64" : "brev.b32", t, t, PT_NONE, PT_NONE);
}
void lower_bfe(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    char key[32];
    snprintf(key, sizeof key, "bfe.%s", lower_type_name(t));
    lower_emit_dabc(lw, in, key, t, t, PT_U32, PT_U32);
}
/* bfi f, a, b, pos, len: five operands; pos and len travel as one 64-bit row */
void lower_bfi(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    lower_need_operands(lw, in, 5);
    const uint32_t pair = lower_new_row(lw, 8);
    const uint32_t pos = lower_src(lw, &in->operand[3], PT_U32),
                   len = lower_src(lw, &in->operand[4], PT_U32);
    op *o = lower_emit(lw, "pack.b64");
    o->d = pair;
    o->a = pos;
    o->b = len;
    const uint32_t a = lower_src(lw, &in->operand[1], t), b = lower_src(lw, &in->operand[2], t);
    const uint32_t d = lower_dst(lw, &in->operand[0], t);
    o = lower_emit(lw, t == PT_B64 ? "bfi.b64" : "bfi.b32");
    o->d = d;
    o->a = a;
    o->b = b;
    o->c = pair;
    o->e = lower_wide_flags(t, t, t, PT_B64);
}
void lower_lop3(lowerer *lw, const ptx_instr *in) {
    if (in->num_operands != 5 || in->operand[4].kind != PO_INT)
        lower_unsupported(lw);
    const uint32_t a = lower_src(lw, &in->operand[1], PT_B32),
                   b = lower_src(lw, &in->operand[2], PT_B32);
    const uint32_t c = lower_src(lw, &in->operand[3], PT_B32),
                   d = lower_dst(lw, &in->operand[0], PT_B32);
    op *o = lower_emit(lw, "lop3.b32");
    o->d = d;
    o->a = a;
    o->b = b;
    o->c = c;
    o->aux = (uint32_t)in->operand[4].bits & 0xFF;
}
void lower_shf(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "shf.b32", PT_B32, PT_B32, PT_B32, PT_U32)->aux =
        (lower_has(in, "r") ? 1 : 0) | (lower_has(in, "wrap") ? 2 : 0);
}
void lower_prmt(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "prmt.b32", PT_B32, PT_B32, PT_B32, PT_B32)->aux =
        lower_has(in, "f4e")    ? PRMT_F4E
        : lower_has(in, "b4e")  ? PRMT_B4E
        : lower_has(in, "rc8")  ? PRMT_RC8
        : lower_has(in, "ecl")  ? PRMT_ECL
        : lower_has(in, "ecr")  ? PRMT_ECR
        : lower_has(in, "rc16") ? PRMT_RC16
                                : PRMT_INDEX;
}
