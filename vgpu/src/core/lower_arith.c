/*
 * lower_arith.c: arithmetic on integers and floats. A family makes the key of a handler (see
 * optable.h) from the modifiers that matter, and an unknown key is an unknown instruction: nothing
 * is ever approximated by another.
 */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_lane.h"

#include <stdio.h>

/* "add", "fma"… with the float modifiers that change the result. Each alone has vector code;
 * several together go a lane at a time, through ".round". */
static void float_op(lowerer *lw, const ptx_instr *in, int sources) {
    const enum ptx_type t = in->type[0];
    const bool ftz = lower_has(in, "ftz"), sat = lower_has(in, "sat"), nan = lower_has(in, "NaN");
    const bool lanes = lower_rounding(in) != 0 || (ftz && sat);
    if (lower_has(in, "xorsign") || lower_has(in, "relu") || ((ftz || sat) && t != PT_F32))
        lower_unsupported(lw);
    char key[64];
    snprintf(key, sizeof key, "%s%s%s%s%s.%s", in->code->id == PTX_MAD ? "fma" : in->op,
             lanes ? ".round" : "", ftz && !lanes ? ".ftz" : "", sat && !lanes ? ".sat" : "",
             nan ? ".NaN" : "", lower_type_name(t));
    op *o =
        lower_emit_dabc(lw, in, key, t, t, sources > 1 ? t : PT_NONE, sources > 2 ? t : PT_NONE);
    if (lanes)
        o->aux = (uint32_t)lower_rounding(in) | (ftz ? ROUND_FTZ : 0) | (sat ? ROUND_SAT : 0);
}

/* What there is for two 16-bit integers in one register. */
static bool has_pairs(const ptx_instr *in) {
    const enum ptx_code id = in->code->id;
    return id == PTX_ADD || id == PTX_MIN || id == PTX_MAX;
}

/* What is divided by may be zero, which those who look on are told. */
static void look_at_divisor(lowerer *lw, const ptx_instr *in, enum ptx_type t) {
    const bool divides = in->code->id == PTX_DIV || in->code->id == PTX_REM;
    if (!lw->observed || !divides || in->num_operands < 3 ||
        (in->operand[2].kind == PO_INT && in->operand[2].bits != 0))
        return;
    const uint32_t divisor = lower_src(lw, &in->operand[2], t);
    lower_emit(lw, ptx_type_size(t) == 8 ? "divisor.b64" : "divisor.b32")->a = divisor;
}

/* add, sub, min, max, div, rem, neg, abs: integers or floats */
static void arithmetic(lowerer *lw, const ptx_instr *in, int sources, bool sign_matters) {
    const enum ptx_type t = in->type[0];
    if (lower_is_float(t)) {
        float_op(lw, in, sources);
        return;
    }
    if (lower_is_half(t)) {
        lower_half_arithmetic(lw, in, sources);
        return;
    }
    if (ptx_type_size(t) < 2)
        lower_unsupported(lw);
    const bool saturate = lower_has(in, "sat"), relu = lower_has(in, "relu");
    if ((relu && t != PT_S32 && t != PT_S16X2) || (lower_is_int_pair(t) && !has_pairs(in)))
        lower_unsupported(lw);
    look_at_divisor(lw, in, t);
    char key[64];
    const enum ptx_type named = sign_matters || saturate ? t : lower_unsigned_type(t);
    snprintf(key, sizeof key, "%s%s.%s", in->op, saturate ? ".sat" : "", lower_type_name(named));
    const uint32_t d = lower_emit_dabc(lw, in, key, t, t, sources > 1 ? t : PT_NONE, PT_NONE)->d;
    if (relu) { /* not below zero */
        const uint32_t zero = lower_const(lw, 0, 4);
        op *o = lower_emit(lw, t == PT_S32 ? "max.s32" : "max.s16x2");
        o->d = o->a = d;
        o->b = zero;
    }
}

static void carry_op(lowerer *lw, const ptx_instr *in, uint32_t aux) {
    const enum ptx_type t = in->type[0];
    aux |= lower_has(in, "cc") ? CC_OUT : 0;
    aux |= t == PT_S32 || t == PT_S64 ? CC_SIGNED : 0;
    op *o = lower_emit_dabc(lw, in, "carry", t, t, t, (aux & CC_MAD) != 0 ? t : PT_NONE);
    o->aux = aux | (lower_has(in, "hi") ? CC_HI : 0);
    o->e = lower_wide_flags(t, t, t, t);
}

void lower_add(lowerer *lw, const ptx_instr *in) {
    if (lower_has(in, "cc"))
        carry_op(lw, in, in->code->id == PTX_SUB ? CC_SUB : 0);
    else
        arithmetic(lw, in, 2, false);
}
void lower_addc(lowerer *lw, const ptx_instr *in) {
    carry_op(lw, in, CC_IN | (in->code->id == PTX_SUBC ? CC_SUB : 0));
}
/* Approximate division (.approx, .full) is done exactly: within its documented error. */
void lower_signed(lowerer *lw, const ptx_instr *in) {
    arithmetic(lw, in, 2, true);
}
void lower_abs(lowerer *lw, const ptx_instr *in) {
    arithmetic(lw, in, 1, true);
}
void lower_neg(lowerer *lw, const ptx_instr *in) {
    arithmetic(lw, in, 1, false);
}
/* rcp.approx.ftz.f64, rsqrt.approx.ftz.f64: the upper half of a double,
 * where others begin to refine. */
void upper_half(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, in->code->id == PTX_RCP ? "rcp.approx.f64" : "rsqrt.approx.f64", PT_F64,
                    PT_F64, PT_NONE, PT_NONE);
}
void lower_unary_float(lowerer *lw, const ptx_instr *in) {
    if (in->type[0] == PT_F64 && lower_has(in, "approx") && lower_has(in, "ftz"))
        upper_half(lw, in);
    else
        float_op(lw, in, 1);
}
void lower_fma(lowerer *lw, const ptx_instr *in) {
    if (lower_is_half(in->type[0])) {
        lower_half_arithmetic(lw, in, 3);
        return;
    }
    if (!lower_is_float(in->type[0]))
        lower_unsupported(lw);
    float_op(lw, in, 3);
}
void lower_copysign(lowerer *lw, const ptx_instr *in) {
    float_op(lw, in, 2);
}

/* rsqrt, sin, cos, lg2, ex2, tanh: approximate on hardware, as exact as the C library here */
void lower_special_float(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    if (lower_is_half(t)) {
        lower_half_arithmetic(lw, in, 1);
        return;
    }
    char key[32];
    snprintf(key, sizeof key, "%s.%s", in->op, lower_type_name(t));
    if (!lower_has(in, "ftz")) {
        lower_emit_dabc(lw, in, key, t, t, PT_NONE, PT_NONE);
        return;
    }
    if (t == PT_F64 && in->code->id == PTX_RSQRT) {
        upper_half(lw, in);
        return;
    }
    if (t != PT_F32)
        lower_unsupported(lw);
    lower_need_operands(lw, in, 2);
    const uint32_t a = lower_flushed(lw, lower_src(lw, &in->operand[1], t)),
                   result = lower_new_row(lw, 4);
    const uint32_t d = lower_dst(lw, &in->operand[0], t);
    op *o = lower_emit(lw, key);
    o->d = result;
    o->a = a;
    o = lower_emit(lw, "flush.f32");
    o->d = d;
    o->a = result;
}

static enum ptx_type twice(enum ptx_type t) {
    switch (t) {
    case PT_U16: return PT_U32;
    case PT_S16: return PT_S32;
    case PT_U32: return PT_U64;
    default: return PT_S64;
    }
}

/* Half precision, and every other type an instruction has no code for. */
static void need_integer(lowerer *lw, enum ptx_type t) {
    if (t < PT_U16 || t > PT_S64 || t == PT_S8)
        lower_unsupported(lw);
}

void lower_mul(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    const bool mad = in->code->id == PTX_MAD;
    if (lower_is_float(t)) {
        float_op(lw, in, mad ? 3 : 2);
        return;
    }
    if (lower_is_half(t) && !mad) {
        lower_half_arithmetic(lw, in, 2);
        return;
    }
    if (mad && lower_has(in, "cc")) {
        carry_op(lw, in, CC_MAD);
        return;
    }
    need_integer(lw, t);
    char key[32];
    if (lower_has(in, "wide")) {
        snprintf(key, sizeof key, "%s.wide.%s", in->op, lower_type_name(t));
        lower_emit_dabc(lw, in, key, twice(t), t, t, mad ? twice(t) : PT_NONE);
    } else {
        const bool hi = lower_has(in, "hi");
        if (lower_has(in, "sat"))
            lower_unsupported(lw);
        snprintf(key, sizeof key, "%s.%s.%s", in->op, hi ? "hi" : "lo",
                 lower_type_name(hi ? t : lower_unsigned_type(t)));
        lower_emit_dabc(lw, in, key, t, t, t, mad ? t : PT_NONE);
    }
}
void lower_madc(lowerer *lw, const ptx_instr *in) {
    carry_op(lw, in, CC_MAD | CC_IN);
}
void lower_mul24(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    char key[32];
    if (lower_has(in, "sat"))
        lower_unsupported(lw);
    snprintf(key, sizeof key, "%s.%s", in->op, lower_type_name(t));
    lower_emit_dabc(lw, in, key, t, t, t, in->code->id == PTX_MAD24 ? t : PT_NONE)->aux =
        lower_has(in, "hi");
}
void lower_sad(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    char key[32];
    snprintf(key, sizeof key, "sad.%s", lower_type_name(t));
    lower_emit_dabc(lw, in, key, t, t, t, t);
}
void lower_dp4a(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type a = in->type[0], b = in->type[1];
    lower_emit_dabc(lw, in, "dp4a", PT_U32, PT_U32, PT_U32, PT_U32)->aux =
        (a == PT_S32 ? 1 : 0) | (b == PT_S32 ? 2 : 0);
}

void lower_dp2a(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type a = in->type[0], b = in->type[1];
    lower_emit_dabc(lw, in, "dp2a", PT_U32, PT_U32, PT_U32, PT_U32)->aux =
        (a == PT_S32 ? 1 : 0) | (b == PT_S32 ? 2 : 0) | (lower_has(in, "hi") ? 4 : 0);
}

/* What __vabsdiffu4() and the sums of such differences become;
 * the other vector instructions nobody emits. */
void lower_vabsdiff(lowerer *lw, const ptx_instr *in) {
    for (int i = 0; i < 3; i++)
        if (in->type[i] != PT_U32)
            lower_unsupported(lw);
    lower_emit_dabc(lw, in, "vabsdiff", PT_U32, PT_U32, PT_U32, PT_U32)->aux =
        (in->code->id == PTX_VABSDIFF4 ? 1 : 0) | (lower_has(in, "add") ? 2 : 0);
}
