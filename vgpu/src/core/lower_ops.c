/*
 * lower_ops.c: what each PTX instruction becomes. One small function a family; the table at the end
 * maps opcodes to them. A family makes the key of a handler (see optable.h) from the modifiers that
 * matter, and an unknown key is an unknown instruction: nothing is ever approximated by another.
 *
 * Long, because it is a list: a family and its line of the table are read together, and one by one.
 */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_half.h"
#include "vgpu/src/core/ops_lane.h"
#include "vgpu/src/core/ops_warp.h"

#include <stdio.h>
#include <string.h>

/* ---- looking at modifiers ---- */

bool lower_has(const ptx_instr *in, const char *mod) {
    for (int i = 0; i < in->num_mods; i++)
        if (strcmp(in->mod[i], mod) == 0)
            return true;
    return false;
}

/* The n-th type among the modifiers (0 first), PT_NONE when there are fewer. */
enum ptx_type lower_nth_type(const ptx_instr *in, int n) {
    for (int i = 0; i < in->num_mods; i++) {
        const enum ptx_type t = ptx_type_named(in->mod[i]);
        if (t != PT_NONE && n-- == 0)
            return t;
    }
    return PT_NONE;
}

const char *lower_type_name(enum ptx_type t) {
    static const char *const names[] = {
        [PT_B8] = "b8",       [PT_B16] = "b16",     [PT_B32] = "b32", [PT_B64] = "b64",
        [PT_U8] = "u8",       [PT_U16] = "u16",     [PT_U32] = "u32", [PT_U64] = "u64",
        [PT_S8] = "s8",       [PT_S16] = "s16",     [PT_S32] = "s32", [PT_S64] = "s64",
        [PT_U16X2] = "u16x2", [PT_S16X2] = "s16x2", [PT_F16] = "f16", [PT_F32] = "f32",
        [PT_F64] = "f64",     [PT_PRED] = "pred",
    };
    return t < sizeof names / sizeof *names && names[t] != NULL ? names[t] : "?";
}

static bool is_float(enum ptx_type t) {
    return t == PT_F32 || t == PT_F64;
}

static bool is_pair(enum ptx_type t) {
    return t == PT_U16X2 || t == PT_S16X2;
}

/* The same width, sign forgotten: what "add" and "xor" care about. */
static enum ptx_type unsigned_type(enum ptx_type t) {
    if (is_pair(t))
        return PT_U16X2;
    switch (ptx_type_size(t)) {
    case 2: return PT_U16;
    case 8: return PT_U64;
    default: return PT_U32;
    }
}

void lower_need_operands(lowerer *lw, const ptx_instr *in, int n) {
    if (in->num_operands != n) {
        lower_fail(lw, VG_INVALID_PTX, "`%s` with %d operands, expected %d", in->op,
                   in->num_operands, n);
    }
}

/* 0 nearest, 1 zero, 2 down, 3 up */
int lower_rounding(const ptx_instr *in) {
    return lower_has(in, "rz") ? 1 : lower_has(in, "rm") ? 2 : lower_has(in, "rp") ? 3 : 0;
}

static uint32_t wide_flags(enum ptx_type d, enum ptx_type a, enum ptx_type b, enum ptx_type c) {
    return (ptx_type_size(d) == 8 ? WIDE_D : 0) | (ptx_type_size(a) == 8 ? WIDE_A : 0) |
           (ptx_type_size(b) == 8 ? WIDE_B : 0) | (ptx_type_size(c) == 8 ? WIDE_C : 0) |
           (ptx_type_size(d) == 2 ? HALF_D : 0) | (d == PT_PRED ? PRED_D : 0);
}

/* d = f(a, b, c), the operands after the first being of the given types. PT_NONE: there is none. */
op *lower_emit_dabc(lowerer *lw, const ptx_instr *in, const char *key, enum ptx_type d,
                    enum ptx_type a, enum ptx_type b, enum ptx_type c) {
    lower_need_operands(lw, in, 1 + (a != PT_NONE) + (b != PT_NONE) + (c != PT_NONE));
    /* Sources first: reading a special register may emit an op of its own. */
    const uint32_t row_a = a != PT_NONE ? lower_src(lw, &in->operand[1], a) : 0;
    const uint32_t row_b = b != PT_NONE ? lower_src(lw, &in->operand[2], b) : 0;
    const uint32_t row_c = c != PT_NONE ? lower_src(lw, &in->operand[3], c) : 0;
    const uint32_t row_d = lower_dst(lw, &in->operand[0], d);
    op *o = lower_emit(lw, key);
    o->d = row_d;
    o->a = row_a;
    o->b = row_b;
    o->c = row_c;
    const op_entry *e = vg_find_op(key);
    if (e->fn == NULL)
        o->e = wide_flags(d, a, b, c);
    return o;
}

/* ---- arithmetic ---- */

/* "add", "fma"… with the float modifiers that change the result. Each alone has vector code;
 * several together go a lane at a time, through ".round". */
static void float_op(lowerer *lw, const ptx_instr *in, int sources) {
    const enum ptx_type t = lower_nth_type(in, 0);
    const bool ftz = lower_has(in, "ftz"), sat = lower_has(in, "sat"), nan = lower_has(in, "NaN");
    const bool lanes = lower_rounding(in) != 0 || (ftz && sat);
    if (lower_has(in, "xorsign") || lower_has(in, "relu") || ((ftz || sat) && t != PT_F32))
        lower_unsupported(lw);
    char key[64];
    snprintf(key, sizeof key, "%s%s%s%s%s.%s", strcmp(in->op, "mad") == 0 ? "fma" : in->op,
             lanes ? ".round" : "", ftz && !lanes ? ".ftz" : "", sat && !lanes ? ".sat" : "",
             nan ? ".NaN" : "", lower_type_name(t));
    op *o =
        lower_emit_dabc(lw, in, key, t, t, sources > 1 ? t : PT_NONE, sources > 2 ? t : PT_NONE);
    if (lanes)
        o->aux = (uint32_t)lower_rounding(in) | (ftz ? ROUND_FTZ : 0) | (sat ? ROUND_SAT : 0);
}

/* A float32 row with its subnormals made zeros, for .ftz instructions without code of their own. */
uint32_t lower_flushed(lowerer *lw, uint32_t row) {
    const uint32_t d = lower_new_row(lw, 4);
    op *o = lower_emit(lw, "flush.f32");
    o->d = d;
    o->a = row;
    return d;
}

/* What there is for two 16-bit integers in one register. */
static bool has_pairs(const ptx_instr *in) {
    return strcmp(in->op, "add") == 0 || strcmp(in->op, "min") == 0 || strcmp(in->op, "max") == 0;
}

/* add, sub, min, max, div, rem, neg, abs: integers or floats */
static void arithmetic(lowerer *lw, const ptx_instr *in, int sources, bool sign_matters) {
    const enum ptx_type t = lower_nth_type(in, 0);
    if (is_float(t)) {
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
    if ((relu && t != PT_S32 && t != PT_S16X2) || (is_pair(t) && !has_pairs(in)))
        lower_unsupported(lw);
    char key[64];
    const enum ptx_type named = sign_matters || saturate ? t : unsigned_type(t);
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
    const enum ptx_type t = lower_nth_type(in, 0);
    aux |= lower_has(in, "cc") ? CC_OUT : 0;
    aux |= t == PT_S32 || t == PT_S64 ? CC_SIGNED : 0;
    op *o = lower_emit_dabc(lw, in, "carry", t, t, t, (aux & CC_MAD) != 0 ? t : PT_NONE);
    o->aux = aux | (lower_has(in, "hi") ? CC_HI : 0);
    o->e = wide_flags(t, t, t, t);
}

static void add_op(lowerer *lw, const ptx_instr *in) {
    if (lower_has(in, "cc"))
        carry_op(lw, in, strcmp(in->op, "sub") == 0 ? CC_SUB : 0);
    else
        arithmetic(lw, in, 2, false);
}
static void addc_op(lowerer *lw, const ptx_instr *in) {
    carry_op(lw, in, CC_IN | (strcmp(in->op, "subc") == 0 ? CC_SUB : 0));
}
/* Approximate division (.approx, .full) is done exactly: within its documented error. */
static void signed_op(lowerer *lw, const ptx_instr *in) {
    arithmetic(lw, in, 2, true);
}
static void abs_op(lowerer *lw, const ptx_instr *in) {
    arithmetic(lw, in, 1, true);
}
static void neg_op(lowerer *lw, const ptx_instr *in) {
    arithmetic(lw, in, 1, false);
}
/* rcp.approx.ftz.f64, rsqrt.approx.ftz.f64: the upper half of a double,
 * where others begin to refine. */
static void upper_half(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, in->op[1] == 'c' ? "rcp.approx.f64" : "rsqrt.approx.f64", PT_F64,
                    PT_F64, PT_NONE, PT_NONE);
}
static void unary_float(lowerer *lw, const ptx_instr *in) {
    if (lower_nth_type(in, 0) == PT_F64 && lower_has(in, "approx") && lower_has(in, "ftz"))
        upper_half(lw, in);
    else
        float_op(lw, in, 1);
}
static void fma_op(lowerer *lw, const ptx_instr *in) {
    if (lower_is_half(lower_nth_type(in, 0))) {
        lower_half_arithmetic(lw, in, 3);
        return;
    }
    if (!is_float(lower_nth_type(in, 0)))
        lower_unsupported(lw);
    float_op(lw, in, 3);
}
static void copysign_op(lowerer *lw, const ptx_instr *in) {
    float_op(lw, in, 2);
}

/* rsqrt, sin, cos, lg2, ex2, tanh: approximate on hardware, as exact as the C library here */
static void special_float(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
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
    if (t == PT_F64 && strcmp(in->op, "rsqrt") == 0) {
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

static void mul_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    const bool mad = in->op[1] == 'a';
    if (is_float(t)) {
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
                 lower_type_name(hi ? t : unsigned_type(t)));
        lower_emit_dabc(lw, in, key, t, t, t, mad ? t : PT_NONE);
    }
}
static void madc_op(lowerer *lw, const ptx_instr *in) {
    carry_op(lw, in, CC_MAD | CC_IN);
}
static void mul24_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    char key[32];
    if (lower_has(in, "sat"))
        lower_unsupported(lw);
    snprintf(key, sizeof key, "%s.%s", in->op, lower_type_name(t));
    lower_emit_dabc(lw, in, key, t, t, t, in->op[1] == 'a' ? t : PT_NONE)->aux =
        lower_has(in, "hi");
}
static void sad_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    char key[32];
    snprintf(key, sizeof key, "sad.%s", lower_type_name(t));
    lower_emit_dabc(lw, in, key, t, t, t, t);
}
static void dp4a_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type a = lower_nth_type(in, 0), b = lower_nth_type(in, 1);
    lower_emit_dabc(lw, in, "dp4a", PT_U32, PT_U32, PT_U32, PT_U32)->aux =
        (a == PT_S32 ? 1 : 0) | (b == PT_S32 ? 2 : 0);
}

static void dp2a_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type a = lower_nth_type(in, 0), b = lower_nth_type(in, 1);
    lower_emit_dabc(lw, in, "dp2a", PT_U32, PT_U32, PT_U32, PT_U32)->aux =
        (a == PT_S32 ? 1 : 0) | (b == PT_S32 ? 2 : 0) | (lower_has(in, "hi") ? 4 : 0);
}

/* What __vabsdiffu4() and the sums of such differences become;
 * the other vector instructions nobody emits. */
static void vabsdiff_op(lowerer *lw, const ptx_instr *in) {
    for (int i = 0; i < 3; i++)
        if (lower_nth_type(in, i) != PT_U32)
            lower_unsupported(lw);
    lower_emit_dabc(lw, in, "vabsdiff", PT_U32, PT_U32, PT_U32, PT_U32)->aux =
        (strcmp(in->op, "vabsdiff4") == 0 ? 1 : 0) | (lower_has(in, "add") ? 2 : 0);
}

/* ---- bits ---- */

static void fns_op(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "fns", PT_U32, PT_U32, PT_U32, PT_U32);
}
static void bmsk_op(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "bmsk", PT_U32, PT_U32, PT_U32, PT_NONE)->aux = lower_has(in, "wrap");
}
static void szext_op(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "szext", PT_U32, PT_U32, PT_U32, PT_NONE)->aux =
        (lower_has(in, "wrap") ? 1 : 0) | (lower_nth_type(in, 0) == PT_S32 ? 2 : 0);
}

static void logic_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    const bool one = strcmp(in->op, "not") == 0 || strcmp(in->op, "cnot") == 0;
    char key[32];
    snprintf(key, sizeof key, "%s.%s", in->op,
             t == PT_PRED ? "pred" : lower_type_name(unsigned_type(t)));
    op *o = lower_emit_dabc(lw, in, key, t, t, one ? PT_NONE : t, PT_NONE);
    if (t == PT_PRED)
        o->aux = in->operand[1].negated | (one ? 0 : in->operand[2].negated << 1);
}

static void shift_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    const bool is_signed = t == PT_S16 || t == PT_S32 || t == PT_S64;
    char key[32];
    snprintf(key, sizeof key, "%s.%s", in->op,
             lower_type_name(strcmp(in->op, "shr") == 0 && is_signed ? t : unsigned_type(t)));
    lower_emit_dabc(lw, in, key, t, t, PT_U32, PT_NONE);
}

static void count_op(lowerer *lw, const ptx_instr *in) { /* popc, clz: 32-bit results */
    const enum ptx_type t = lower_nth_type(in, 0);
    char key[32];
    snprintf(key, sizeof key, "%s.%s", in->op, lower_type_name(t));
    lower_emit_dabc(lw, in, key, PT_U32, t, PT_NONE, PT_NONE);
}
static void bfind_op(lowerer *lw, const ptx_instr *in) {
    count_op(lw, in);
    lw->ops[lw->num_ops - 1].aux = lower_has(in, "shiftamt");
}
static void brev_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    lower_emit_dabc(lw, in, t == PT_B64 ? "brev.b64" : "brev.b32", t, t, PT_NONE, PT_NONE);
}
static void bfe_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    char key[32];
    snprintf(key, sizeof key, "bfe.%s", lower_type_name(t));
    lower_emit_dabc(lw, in, key, t, t, PT_U32, PT_U32);
}
/* bfi f, a, b, pos, len: five operands; pos and len travel as one 64-bit row */
static void bfi_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
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
    o->e = wide_flags(t, t, t, PT_B64);
}
static void lop3_op(lowerer *lw, const ptx_instr *in) {
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
static void shf_op(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "shf.b32", PT_B32, PT_B32, PT_B32, PT_U32)->aux =
        (lower_has(in, "r") ? 1 : 0) | (lower_has(in, "wrap") ? 2 : 0);
}
static void prmt_op(lowerer *lw, const ptx_instr *in) {
    lower_emit_dabc(lw, in, "prmt.b32", PT_B32, PT_B32, PT_B32, PT_B32)->aux =
        lower_has(in, "f4e")    ? PRMT_F4E
        : lower_has(in, "b4e")  ? PRMT_B4E
        : lower_has(in, "rc8")  ? PRMT_RC8
        : lower_has(in, "ecl")  ? PRMT_ECL
        : lower_has(in, "ecr")  ? PRMT_ECR
        : lower_has(in, "rc16") ? PRMT_RC16
                                : PRMT_INDEX;
}

/* ---- comparing and choosing ---- */

const char *lower_float_comparison(lowerer *lw, const ptx_instr *in) {
    for (int m = 0; m < in->num_mods; m++) {
        for (size_t i = 0; half_comparisons[i] != NULL; i++)
            if (strcmp(in->mod[m], half_comparisons[i]) == 0)
                return half_comparisons[i];
    }
    lower_unsupported(lw);
}

static const char *comparison(lowerer *lw, const ptx_instr *in, enum ptx_type t,
                              enum ptx_type *named) {
    static const struct {
        const char *name, *plain;
    } unsigned_names[] = {{"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}};
    *named = t;
    for (int m = 0; m < in->num_mods; m++) {
        for (size_t i = 0; i < sizeof unsigned_names / sizeof *unsigned_names; i++) {
            if (strcmp(in->mod[m], unsigned_names[i].name) == 0) {
                *named = unsigned_type(t);
                return unsigned_names[i].plain;
            }
        }
    }
    const char *name = lower_float_comparison(lw, in);
    if (!is_float(t) &&
        (strcmp(name, "eq") == 0 || strcmp(name, "ne") == 0 || lower_type_name(t)[0] == 'b'))
        *named = unsigned_type(t); /* equality knows no sign */
    return name;
}

uint32_t lower_combination(lowerer *lw, const ptx_instr *in, uint32_t *aux) {
    const bool combined = lower_has(in, "and") || lower_has(in, "or") || lower_has(in, "xor");
    lower_need_operands(lw, in, combined ? 4 : 3);
    *aux = !combined ? 0
                     : (lower_has(in, "and")  ? 1u
                        : lower_has(in, "or") ? 2u
                                              : 3u) |
                           (in->operand[3].negated ? 4u : 0);
    return combined ? lower_pred(lw, &in->operand[3]) : 0;
}

/* Emits the comparison of operands first and first + 1 into predicate d. */
static op *emit_comparison(lowerer *lw, const ptx_instr *in, enum ptx_type t, uint32_t d) {
    enum ptx_type named;
    const char *cmp = comparison(lw, in, t, &named);
    char key[32];
    snprintf(key, sizeof key, "setp.%s.%s", cmp, lower_type_name(named));
    uint32_t a = lower_src(lw, &in->operand[1], t), b = lower_src(lw, &in->operand[2], t);
    if (lower_has(in, "ftz")) {
        if (t != PT_F32)
            lower_unsupported(lw);
        a = lower_flushed(lw, a);
        b = lower_flushed(lw, b);
    }
    uint32_t aux;
    const uint32_t c = lower_combination(lw, in, &aux);
    op *o = lower_emit(lw, key);
    o->d = d;
    o->a = a;
    o->b = b;
    o->c = c;
    o->aux = aux;
    return o;
}

static void setp_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    if (lower_is_half(t)) {
        lower_half_setp(lw, in);
        return;
    }
    const ptx_operand *d = &in->operand[0];
    if (d->kind == PO_PAIR) {
        const uint32_t p = lower_dst(lw, &d->elem[0], PT_PRED),
                       q = lower_dst(lw, &d->elem[1], PT_PRED);
        emit_comparison(lw, in, t, p)->e = q;
    } else {
        emit_comparison(lw, in, t, lower_dst(lw, d, PT_PRED));
    }
}

/* set: all ones or 1.0f where true, else 0 */
static void set_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type dt = lower_nth_type(in, 0), t = lower_nth_type(in, 1);
    if (lower_is_half(t)) {
        lower_half_set(lw, in);
        return;
    }
    const uint32_t p = lower_new_row(lw, 1);
    emit_comparison(lw, in, t, p);
    const uint32_t yes = lower_const(lw, dt == PT_F32 ? 0x3F800000u : 0xFFFFFFFFu, 4),
                   no = lower_const(lw, 0, 4);
    const uint32_t d = lower_dst(lw, &in->operand[0], dt);
    op *o = lower_emit(lw, "selp.b32");
    o->d = d;
    o->a = yes;
    o->b = no;
    o->c = p;
}

static void selp_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    lower_emit_dabc(lw, in, ptx_type_size(t) == 8 ? "selp.b64" : "selp.b32", t, t, t, PT_PRED)
        ->aux = in->operand[3].negated;
}
static void slct_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0), ct = lower_nth_type(in, 1);
    lower_emit_dabc(lw, in, "slct", t, t, t, ct)->aux = ct != PT_F32           ? 0
                                                        : lower_has(in, "ftz") ? 2
                                                                               : 1;
}
static void testp_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    lower_emit_dabc(lw, in, t == PT_F64 ? "testp.f64" : "testp.f32", PT_PRED, t, PT_NONE, PT_NONE)
        ->aux = lower_has(in, "finite")       ? TESTP_FINITE
                : lower_has(in, "infinite")   ? TESTP_INFINITE
                : lower_has(in, "number")     ? TESTP_NUMBER
                : lower_has(in, "notanumber") ? TESTP_NOTANUMBER
                : lower_has(in, "normal")     ? TESTP_NORMAL
                                              : TESTP_SUBNORMAL;
}

/* ---- moving ---- */

void lower_emit_mov(lowerer *lw, uint32_t d, uint32_t a, uint32_t lane_bytes) {
    op *o = lower_emit(lw, lane_bytes == 1 ? "mov.pred" : lane_bytes == 8 ? "mov.b64" : "mov.b32");
    o->d = d;
    o->a = a;
}

void lower_emit_pack(lowerer *lw, const char *key, uint32_t d, uint32_t low, uint32_t high) {
    op *o = lower_emit(lw, key);
    o->d = d;
    o->a = low;
    o->b = high;
}

/* mov.b64 d, {lo, hi} and its kin */
static void mov_from_vector(lowerer *lw, const ptx_instr *in, enum ptx_type t) {
    const ptx_operand *v = &in->operand[1];
    const uint32_t d = lower_dst(lw, &in->operand[0], t);
    if (v->num_elem == 2 && ptx_type_size(t) == 8) {
        lower_emit_pack(lw, "pack.b64", d, lower_src(lw, &v->elem[0], PT_B32),
                        lower_src(lw, &v->elem[1], PT_B32));
    } else if (v->num_elem == 2 && ptx_type_size(t) == 4) {
        lower_emit_pack(lw, "pack.b32", d, lower_src(lw, &v->elem[0], PT_B16),
                        lower_src(lw, &v->elem[1], PT_B16));
    } else if (v->num_elem == 4 && ptx_type_size(t) == 8) {
        const uint32_t low = lower_new_row(lw, 4), high = lower_new_row(lw, 4);
        lower_emit_pack(lw, "pack.b32", low, lower_src(lw, &v->elem[0], PT_B16),
                        lower_src(lw, &v->elem[1], PT_B16));
        lower_emit_pack(lw, "pack.b32", high, lower_src(lw, &v->elem[2], PT_B16),
                        lower_src(lw, &v->elem[3], PT_B16));
        lower_emit_pack(lw, "pack.b64", d, low, high);
    } else {
        lower_unsupported(lw);
    }
}

void lower_emit_unpack(lowerer *lw, const char *key, uint32_t low, uint32_t high, uint32_t a) {
    op *o = lower_emit(lw, key);
    o->d = low;
    o->e = high;
    o->a = a;
}

uint32_t lower_dst_or_none(lowerer *lw, const ptx_operand *o, enum ptx_type t) {
    return o->kind == PO_SINK ? 0 : lower_dst(lw, o, t);
}

static void mov_to_vector(lowerer *lw, const ptx_instr *in, enum ptx_type t) {
    const ptx_operand *v = &in->operand[0];
    const uint32_t a = lower_src(lw, &in->operand[1], t);
    const enum ptx_type half = ptx_type_size(t) == 8 && v->num_elem == 2 ? PT_B32 : PT_B16;
    if (v->num_elem == 2) {
        lower_emit_unpack(lw, ptx_type_size(t) == 8 ? "unpack.b64" : "unpack.b32",
                          lower_dst_or_none(lw, &v->elem[0], half),
                          lower_dst_or_none(lw, &v->elem[1], half), a);
    } else if (v->num_elem == 4 && ptx_type_size(t) == 8) {
        const uint32_t low = lower_new_row(lw, 4), high = lower_new_row(lw, 4);
        lower_emit_unpack(lw, "unpack.b64", low, high, a);
        lower_emit_unpack(lw, "unpack.b32", lower_dst_or_none(lw, &v->elem[0], half),
                          lower_dst_or_none(lw, &v->elem[1], half), low);
        lower_emit_unpack(lw, "unpack.b32", lower_dst_or_none(lw, &v->elem[2], half),
                          lower_dst_or_none(lw, &v->elem[3], half), high);
    } else {
        lower_unsupported(lw);
    }
}

static bool read_clock(lowerer *lw, const ptx_instr *in) {
    const ptx_operand *s = &in->operand[1];
    static const struct {
        const char *name;
        uint32_t aux;
    } clocks[] = {{"%clock", 0}, {"%clock64", 1}, {"%globaltimer", 2}};
    for (size_t i = 0; s->kind == PO_NAME && i < sizeof clocks / sizeof *clocks; i++) {
        if (strcmp(s->name, clocks[i].name) == 0) {
            const uint32_t d = lower_dst(lw, &in->operand[0], i == 0 ? PT_U32 : PT_U64);
            op *o = lower_emit(lw, "clock");
            o->d = d;
            o->aux = clocks[i].aux;
            return true;
        }
    }
    return false;
}

static void mov_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    lower_need_operands(lw, in, 2);
    if (in->operand[1].kind == PO_VECTOR) {
        mov_from_vector(lw, in, t);
    } else if (in->operand[0].kind == PO_VECTOR) {
        mov_to_vector(lw, in, t);
    } else if (!read_clock(lw, in)) {
        const uint32_t a = lower_src(lw, &in->operand[1], t);
        lower_emit_mov(lw, lower_dst(lw, &in->operand[0], t), a, lane_bytes_of(t));
        if (t == PT_PRED)
            lw->ops[lw->num_ops - 1].aux = in->operand[1].negated;
    }
}

/* cvt, ld and st: registers may be wider than an integer type, never narrower; floats have
 * registers of their own width. */
void lower_check_register(lowerer *lw, const ptx_operand *o, enum ptx_type t) {
    if (o->kind != PO_REG)
        return;
    const uint32_t have = ptx_type_size(o->var->type), need = ptx_type_size(t);
    const bool is_integer = (t >= PT_U8 && t <= PT_S64) || (t >= PT_B8 && t <= PT_B64);
    if (o->var->type == PT_PRED || have < need || (have > need && !is_integer)) {
        lower_fail(lw, VG_INVALID_PTX, "register %s has another width than the instruction",
                   o->var->name);
    }
}

static void cvt_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type d = lower_nth_type(in, 0), s = lower_nth_type(in, 1);
    const bool integral = lower_has(in, "rni") || lower_has(in, "rzi") || lower_has(in, "rmi") ||
                          lower_has(in, "rpi");
    if (d == PT_F16X2 || d == PT_BF16X2 || d == PT_TF32) {
        lower_half_cvt(lw, in);
        return;
    }
    if (s == PT_F16X2 || s == PT_BF16X2 || s == PT_NONE || in->num_operands != 2)
        lower_unsupported(lw);
    char key[48];
    snprintf(key, sizeof key, "cvt%s.%s.%s", lower_has(in, "rn") ? ".rn" : "", lower_type_name(d),
             lower_type_name(s));
    const bool plain = !lower_has(in, "sat") && !lower_has(in, "ftz") && !integral &&
                       lower_rounding(in) == 0 && !lower_has(in, "relu");
    lower_check_register(lw, &in->operand[0], d);
    lower_check_register(lw, &in->operand[1], s);
    /* A destination register may be wider than the type: cvt.u8.u32 %r. */
    const enum ptx_type dreg = in->operand[0].kind == PO_REG ? in->operand[0].var->type : d;
    const enum ptx_type sreg = in->operand[1].kind == PO_REG ? in->operand[1].var->type : s;
    if (plain && vg_find_op(key) != NULL && ptx_type_size(dreg) == ptx_type_size(d) &&
        ptx_type_size(sreg) == ptx_type_size(s)) {
        lower_emit_dabc(lw, in, key, dreg, sreg, PT_NONE, PT_NONE);
        return;
    }
    const int round = lower_has(in, "rzi")   ? 1
                      : lower_has(in, "rmi") ? 2
                      : lower_has(in, "rpi") ? 3
                                             : lower_rounding(in);
    const bool saturates = lower_has(in, "sat");
    op *o = lower_emit_dabc(lw, in, "cvt", dreg, sreg, PT_NONE, PT_NONE);
    o->aux = CVT_MAKE(d, s, round,
                      (saturates ? CVT_SAT : 0) | (lower_has(in, "ftz") ? CVT_FTZ : 0) |
                          (integral ? CVT_INTEGRAL : 0) | (lower_has(in, "relu") ? CVT_RELU : 0));
}

enum ptx_space lower_space_of(const ptx_instr *in) {
    static const struct {
        const char *name;
        enum ptx_space space;
    } spaces[] = {{"global", PS_GLOBAL},      {"const", PS_CONST},      {"shared", PS_SHARED},
                  {"shared::cta", PS_SHARED}, {"local", PS_LOCAL},      {"param", PS_PARAM},
                  {"param::entry", PS_PARAM}, {"param::func", PS_PARAM}};
    for (int m = 0; m < in->num_mods; m++) {
        for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
            if (strcmp(in->mod[m], spaces[i].name) == 0)
                return spaces[i].space;
    }
    return PS_GENERIC;
}

/* A 64-bit row for an address that may sit in a 32-bit register. Compilers take an offset out of
 * such an address and leave a base below zero, [%r+252] with %r = -4 * i:
 * the sign makes the sum right. */
uint32_t lower_wide_source(lowerer *lw, const ptx_operand *o) {
    if (o->kind == PO_REG && lane_bytes_of(o->var->type) == 4) {
        const uint32_t a = lower_src(lw, o, PT_U32), d = lower_new_row(lw, 8);
        op *widen = lower_emit(lw, "cvt.s64.s32");
        widen->d = d;
        widen->a = a;
        return d;
    }
    return lower_src(lw, o, PT_U64);
}

static void cvta_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_space space = lower_space_of(in);
    const uint64_t window = space == PS_SHARED  ? VG_SHARED_WINDOW
                            : space == PS_LOCAL ? VG_LOCAL_WINDOW
                            : space == PS_PARAM ? VG_PARAM_WINDOW
                                                : 0;
    lower_need_operands(lw, in, 2);
    const uint32_t a = lower_wide_source(lw, &in->operand[1]);
    const bool narrow =
        in->operand[0].kind == PO_REG && lane_bytes_of(in->operand[0].var->type) == 4;
    if (narrow)
        lower_unsupported(lw);
    const uint32_t d = lower_dst(lw, &in->operand[0], PT_U64);
    if (window == 0) {
        lower_emit_mov(lw, d, a, 8);
        return;
    }
    op *o = lower_emit(lw, lower_has(in, "to") ? "window.from" : "window.to");
    o->d = d;
    o->a = a;
    o->imm = (int64_t)window;
}

static void isspacep_op(lowerer *lw, const ptx_instr *in) {
    lower_need_operands(lw, in, 2);
    const uint32_t a = lower_src(lw, &in->operand[1], PT_U64),
                   d = lower_dst(lw, &in->operand[0], PT_PRED);
    op *o = lower_emit(lw, "isspacep");
    o->d = d;
    o->a = a;
    o->aux = lower_space_of(in);
}

/* ---- memory ---- */

/* Row and constant offset of [base + offset]. */
uint32_t lower_address_row(lowerer *lw, const ptx_operand *o, int64_t *offset) {
    if (o->kind != PO_ADDR)
        lower_fail(lw, VG_INVALID_PTX, "expected an address in brackets");
    ptx_operand base = o->elem[0];
    if (o->num_elem != 1)
        lower_unsupported(lw);
    if (base.kind == PO_REG) {
        *offset = (int64_t)o->bits;
        base.bits = 0;
    } else {
        *offset = 0; /* part of the constant */
    }
    return lower_wide_source(lw, &base);
}

static int vector_count(const ptx_instr *in) {
    return lower_has(in, "v2") ? 2 : lower_has(in, "v4") ? 4 : lower_has(in, "v8") ? 8 : 1;
}

/* ld.param of a kernel's parameter: a row that the launch fills. */
static void load_kernel_param(lowerer *lw, const ptx_instr *in, enum ptx_type t, int count) {
    const ptx_operand *address = &in->operand[1];
    const ptx_var *v = address->elem[0].var;
    const uint32_t size = ptx_type_size(t);
    const uint64_t offset = v->offset + address->bits;
    if (address->bits > v->size || address->bits + (uint64_t)size * (unsigned)count > v->size)
        lower_fail(lw, VG_INVALID_PTX, "a load beyond the parameter '%s'", v->name);
    for (int e = 0; e < count; e++) {
        const ptx_operand *d =
            in->operand[0].kind == PO_VECTOR ? &in->operand[0].elem[e] : &in->operand[0];
        if (d->kind == PO_SINK)
            continue;
        lower_check_register(lw, d, t);
        const enum ptx_type dt = d->kind == PO_REG ? d->var->type : t;
        row_init init = {.kind = INIT_PARAM,
                         .payload = offset + (uint64_t)e * size,
                         .source_size = (uint8_t)size,
                         .width = (uint8_t)lane_bytes_of(dt),
                         .sign = t == PT_S8 || t == PT_S16 || t == PT_S32 || t == PT_S64};
        const uint32_t row = lower_init_row(lw, init);
        lower_emit_mov(lw, lower_dst(lw, d, dt), row, init.width);
    }
}

/* aux of ld.any and st.any; see ops_mem.c */
static uint32_t memory_aux(enum ptx_type t, enum ptx_type reg, int count) {
    const bool is_signed = t == PT_S8 || t == PT_S16 || t == PT_S32 || t == PT_S64;
    return ptx_type_size(t) | (lane_bytes_of(reg) == 8 ? 32u : 0) | (is_signed ? 64u : 0) |
           (ptx_type_size(reg) == 2 ? 128u : 0) | (uint32_t)count << 8;
}

/* What observers will be told of the op. */
void lower_finish_access(const lowerer *lw, op *o, enum vg_access_kind kind, uint32_t bytes) {
    o->access = (uint8_t)kind;
    o->bytes = (uint8_t)bytes;
    if (lw->observed) {
        o->plain = o->fn;
        o->fn = vg_find_op("observed")->fn; /* tells them, then calls plain */
    }
}

void lower_tells_itself(const lowerer *lw, op *o, enum vg_access_kind kind, uint32_t bytes) {
    o->access = (uint8_t)kind;
    o->bytes = (uint8_t)bytes;
    o->plain = lw->observed ? o->fn : NULL;
}

static void memory_op(lowerer *lw, const ptx_instr *in, bool store) {
    const enum ptx_type t = lower_nth_type(in, 0);
    const int count = vector_count(in);
    lower_need_operands(lw, in, 2);
    const ptx_operand *address = &in->operand[store ? 0 : 1], *value = &in->operand[store ? 1 : 0];
    enum ptx_space space = lower_space_of(in);
    if (count > 4 || t == PT_NONE || ptx_type_size(t) == 16 || t == PT_PRED)
        lower_unsupported(lw);
    if (address->kind != PO_ADDR)
        lower_fail(lw, VG_INVALID_PTX, "expected an address in brackets");
    const int given = value->kind == PO_VECTOR ? value->num_elem : 1;
    if (given != count)
        lower_fail(lw, VG_INVALID_PTX, "%d registers for %d elements", given, count);
    const ptx_var *base = address->elem[0].kind == PO_SYMBOL ? address->elem[0].var : NULL;
    if (space == PS_PARAM && base != NULL && lower_is_kernel_param(lw, base)) {
        if (store)
            lower_fail(lw, VG_INVALID_PTX, "a store to a kernel's parameter");
        load_kernel_param(lw, in, t, count);
        return;
    }
    if (space == PS_PARAM && (base != NULL || lw->current->return_row != 0))
        space = PS_LOCAL; /* arguments of device functions live in the thread's own memory */
    lw->program.mingles |=
        store && ptx_type_size(t) < 4 && (space == PS_GLOBAL || space == PS_GENERIC);
    int64_t offset;
    const uint32_t at = lower_address_row(lw, address, &offset);
    uint32_t rows[4] = {0};
    enum ptx_type reg = t;
    for (int e = 0; e < count; e++) {
        const ptx_operand *v = value->kind == PO_VECTOR ? &value->elem[e] : value;
        lower_check_register(lw, v, t);
        if (v->kind == PO_REG) {
            if (e > 0 && ptx_type_size(v->var->type) != ptx_type_size(reg))
                lower_fail(lw, VG_INVALID_PTX, "registers of different widths in one vector");
            reg = v->var->type;
        }
        rows[e] =
            store ? lower_src(lw, v, v->kind == PO_REG ? reg : t) : lower_dst_or_none(lw, v, reg);
    }
    const bool simple = count == 1 && ptx_type_size(t) == 4 && ptx_type_size(reg) == 4;
    op *o = lower_emit(lw, simple ? (store ? "st.b32" : "ld.b32") : store ? "st.any" : "ld.any");
    o->a = at;
    o->imm = offset;
    o->space = (uint8_t)space;
    o->slot = VG_NEEDS_SLOT;
    o->aux = memory_aux(t, reg, count);
    if (simple && store) {
        o->b = rows[0];
    } else {
        o->d = rows[0];
        o->b = rows[1];
        o->c = rows[2];
        o->e = rows[3];
    }
    if (simple && !store && o->d == 0)
        o->d = lw->scratch32;
    lower_finish_access(lw, o, store ? VG_WRITE : VG_READ, ptx_type_size(t) * (uint32_t)count);
}
static void ld_op(lowerer *lw, const ptx_instr *in) {
    memory_op(lw, in, false);
}
static void st_op(lowerer *lw, const ptx_instr *in) {
    memory_op(lw, in, true);
}

static enum atom_kind atom_named(lowerer *lw, const ptx_instr *in) {
    static const char *const names[ATOM_KINDS] = {"add", "min",  "max", "and", "or",
                                                  "xor", "exch", "cas", "inc", "dec"};
    for (int k = 0; k < ATOM_KINDS; k++)
        if (lower_has(in, names[k]))
            return (enum atom_kind)k;
    lower_unsupported(lw);
}

static const ptx_operand *element(const ptx_operand *o, int i) {
    return o->kind == PO_VECTOR && i < o->num_elem ? &o->elem[i] : o;
}

/* One atomic operation a lane, or (sm_90: float2 and float4) one for each element of a vector. */
static void atom_op(lowerer *lw, const ptx_instr *in) {
    const bool red = strcmp(in->op, "red") == 0;
    const int count = vector_count(in);
    const enum ptx_type t = lower_nth_type(in, 0);
    const enum atom_kind kind = atom_named(lw, in);
    const int first = red ? 0 : 1;
    const bool real = is_float(t), half = lower_is_half(t);
    const bool short_cas = t == PT_B16 && kind == ATOM_CAS;
    if ((ptx_type_size(t) != 4 && ptx_type_size(t) != 8 && !half && !short_cas) ||
        (count != 1 && (t != PT_F32 || kind != ATOM_ADD)) ||
        (real && kind != ATOM_ADD && kind != ATOM_EXCH) ||
        (half && (kind != ATOM_ADD || !lower_has(in, "noftz"))))
        lower_unsupported(lw);
    lower_need_operands(lw, in, first + (kind == ATOM_CAS ? 3 : 2));
    lw->program.mingles |= lower_space_of(in) != PS_SHARED;
    int64_t offset;
    const uint32_t at = lower_address_row(lw, &in->operand[first], &offset);
    const enum ptx_type reg = !half ? t : ptx_type_size(t) == 4 ? PT_B32 : PT_B16;
    for (int i = 0; i < count; i++) {
        const uint32_t b = lower_src(lw, element(&in->operand[first + 1], i), reg);
        const uint32_t c = kind == ATOM_CAS ? lower_src(lw, &in->operand[first + 2], reg) : 0;
        const uint32_t d = red ? 0 : lower_dst_or_none(lw, element(&in->operand[0], i), reg);
        op *o = lower_emit(lw, "atom");
        o->d = d;
        o->a = at;
        o->b = b;
        o->c = c;
        o->imm = offset + i * (int64_t)ptx_type_size(t);
        o->space = (uint8_t)lower_space_of(in);
        o->slot = VG_NEEDS_SLOT;
        o->aux = (uint32_t)kind | (uint32_t)t << 4;
        lower_finish_access(lw, o, VG_ATOMIC, ptx_type_size(t));
    }
}

/* ---- barriers, warps ---- */

static void bar_op(lowerer *lw, const ptx_instr *in) {
    if (lower_has(in, "warp")) { /* bar.warp.sync mask */
        lower_need_operands(lw, in, 1);
        const uint32_t a = lower_src(lw, &in->operand[0], PT_B32);
        op *o = lower_emit(lw, "bar.warp");
        o->a = a;
        o->aux = VG_MEET_ANYWHERE;
        return;
    }
    const bool red = lower_has(in, "red");
    const bool popc = red && lower_has(in, "popc");
    const int first = red ? 1 : 0;
    const int rest = in->num_operands - first - (red ? 1 : 0);
    if (rest < 1 || rest > 2)
        lower_unsupported(lw);
    const uint32_t id = lower_src(lw, &in->operand[first], PT_U32);
    const uint32_t count = rest == 2 ? lower_src(lw, &in->operand[first + 1], PT_U32) : 0;
    const uint32_t p = red ? lower_pred(lw, &in->operand[in->num_operands - 1]) : 0;
    op *o = lower_emit(lw, red ? "bar.red" : lower_has(in, "arrive") ? "bar.arrive" : "bar.sync");
    o->a = id;
    o->b = count;
    o->c = p;
    if (red) {
        o->aux = in->operand[in->num_operands - 1].negated ? 4 : 0;
        const uint32_t d = lower_dst(lw, &in->operand[0], popc ? PT_U32 : PT_PRED);
        o = lower_emit(lw, "bar.result");
        o->a = id;
        o->d = d;
        o->aux = popc ? 0 : lower_has(in, "and") ? 1 : 2;
    }
}

static void shfl_op(lowerer *lw, const ptx_instr *in) {
    if (in->num_operands != 5) /* the form without .sync is gone since PTX 6.4 */
        lower_unsupported(lw);
    const ptx_operand *d = &in->operand[0];
    const uint32_t a = lower_src(lw, &in->operand[1], PT_B32),
                   b = lower_src(lw, &in->operand[2], PT_B32);
    const uint32_t c = lower_src(lw, &in->operand[3], PT_B32),
                   m = lower_src(lw, &in->operand[4], PT_B32);
    const uint32_t dst = lower_dst(lw, d->kind == PO_PAIR ? &d->elem[0] : d, PT_B32);
    const uint32_t p = d->kind == PO_PAIR ? lower_dst(lw, &d->elem[1], PT_PRED) : 0;
    op *o = lower_emit(lw, "shfl");
    o->d = dst;
    o->e = p;
    o->a = a;
    o->b = b;
    o->c = c;
    o->slot = m;
    o->aux = lower_has(in, "up")     ? SHFL_UP
             : lower_has(in, "down") ? SHFL_DOWN
             : lower_has(in, "bfly") ? SHFL_BFLY
                                     : SHFL_IDX;
}

static void vote_op(lowerer *lw, const ptx_instr *in) {
    const bool ballot = lower_has(in, "ballot");
    if (in->num_operands != 3)
        lower_unsupported(lw);
    const uint32_t a = lower_pred(lw, &in->operand[1]), m = lower_src(lw, &in->operand[2], PT_B32);
    const uint32_t d = lower_dst(lw, &in->operand[0], ballot ? PT_B32 : PT_PRED);
    op *o = lower_emit(lw, "vote");
    o->d = d;
    o->a = a;
    o->slot = m;
    o->aux = (ballot                 ? VOTE_BALLOT
              : lower_has(in, "all") ? VOTE_ALL
              : lower_has(in, "any") ? VOTE_ANY
                                     : VOTE_UNI) |
             (in->operand[1].negated ? 16u : 0);
}

static void match_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    const ptx_operand *d = &in->operand[0];
    lower_need_operands(lw, in, 3);
    const uint32_t a = lower_src(lw, &in->operand[1], t),
                   m = lower_src(lw, &in->operand[2], PT_B32);
    const uint32_t dst = lower_dst(lw, d->kind == PO_PAIR ? &d->elem[0] : d, PT_B32);
    const uint32_t p = d->kind == PO_PAIR ? lower_dst(lw, &d->elem[1], PT_PRED) : 0;
    op *o = lower_emit(lw, "match");
    o->d = dst;
    o->e = p;
    o->a = a;
    o->slot = m;
    o->aux = (ptx_type_size(t) == 8 ? 1u : 0) | (lower_has(in, "all") ? 2u : 0);
}

static void activemask_op(lowerer *lw, const ptx_instr *in) {
    const uint32_t d = lower_dst(lw, &in->operand[0], PT_B32);
    lower_emit(lw, "activemask")->d = d;
}

static void redux_op(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = lower_nth_type(in, 0);
    const enum atom_kind kind = atom_named(lw, in);
    if (kind >= ATOM_EXCH || (t != PT_U32 && t != PT_S32 && t != PT_B32))
        lower_unsupported(lw);
    lower_need_operands(lw, in, 3);
    const uint32_t a = lower_src(lw, &in->operand[1], t),
                   m = lower_src(lw, &in->operand[2], PT_B32);
    const uint32_t d = lower_dst(lw, &in->operand[0], t);
    op *o = lower_emit(lw, "redux");
    o->d = d;
    o->a = a;
    o->slot = m;
    o->aux = (uint32_t)kind | (uint32_t)t << 4;
}

static void trap_op(lowerer *lw, const ptx_instr *in) {
    (void)in;
    lower_emit(lw, "trap");
}
/* Fences order what blocks do to memory. */
static void fence_op(lowerer *lw, const ptx_instr *in) {
    (void)in;
    lower_emit(lw, "fence");
}
static void nothing_op(lowerer *lw, const ptx_instr *in) {
    (void)in;
    lower_emit(lw, "nop");
}

/* What only the virtual GPU has, for its own headers. */
static void vgpu_op(lowerer *lw, const ptx_instr *in) {
    if (!lower_has(in, "grid") || !lower_has(in, "sync"))
        lower_unsupported(lw);
    lower_emit(lw, "grid.sync");
}

static const struct {
    const char *op;
    void (*lower)(lowerer *lw, const ptx_instr *in);
} table[] = {
    {"add", add_op},
    {"sub", add_op},
    {"addc", addc_op},
    {"subc", addc_op},
    {"mul", mul_op},
    {"mad", mul_op},
    {"madc", madc_op},
    {"mul24", mul24_op},
    {"mad24", mul24_op},
    {"sad", sad_op},
    {"div", signed_op},
    {"rem", signed_op},
    {"min", signed_op},
    {"max", signed_op},
    {"abs", abs_op},
    {"neg", neg_op},
    {"fma", fma_op},
    {"rcp", unary_float},
    {"sqrt", unary_float},
    {"copysign", copysign_op},
    {"rsqrt", special_float},
    {"sin", special_float},
    {"cos", special_float},
    {"lg2", special_float},
    {"ex2", special_float},
    {"tanh", special_float},
    {"dp4a", dp4a_op},
    {"dp2a", dp2a_op},
    {"vabsdiff2", vabsdiff_op},
    {"vabsdiff4", vabsdiff_op},
    {"fns", fns_op},
    {"bmsk", bmsk_op},
    {"szext", szext_op},
    {"and", logic_op},
    {"or", logic_op},
    {"xor", logic_op},
    {"not", logic_op},
    {"cnot", logic_op},
    {"shl", shift_op},
    {"shr", shift_op},
    {"popc", count_op},
    {"clz", count_op},
    {"bfind", bfind_op},
    {"brev", brev_op},
    {"bfe", bfe_op},
    {"bfi", bfi_op},
    {"lop3", lop3_op},
    {"shf", shf_op},
    {"prmt", prmt_op},
    {"setp", setp_op},
    {"set", set_op},
    {"selp", selp_op},
    {"slct", slct_op},
    {"testp", testp_op},
    {"mov", mov_op},
    {"cvt", cvt_op},
    {"cvta", cvta_op},
    {"isspacep", isspacep_op},
    {"ld", ld_op},
    {"ldu", ld_op},
    {"st", st_op},
    {"atom", atom_op},
    {"red", atom_op},
    {"bar", bar_op},
    {"barrier", bar_op},
    {"shfl", shfl_op},
    {"vote", vote_op},
    {"match", match_op},
    {"activemask", activemask_op},
    {"redux", redux_op},
    {"trap", trap_op},
    {"membar", fence_op},
    {"fence", fence_op},
    {"prefetch", nothing_op},
    {"prefetchu", nothing_op},
    {"nanosleep", nothing_op},
    {"brkpt", nothing_op},
    {"pmevent", nothing_op},
    {"mma", lower_mma},
    {"wmma", lower_wmma},
    {"ldmatrix", lower_ldmatrix},
    {"stmatrix", lower_ldmatrix},
    {"movmatrix", lower_movmatrix},
    {"cp", lower_cp},
    {"mbarrier", lower_mbarrier},
    {"vgpu", vgpu_op},
};

const char *lower_opcode(size_t i) {
    return i < sizeof table / sizeof *table ? table[i].op : NULL;
}

void lower_instruction(lowerer *lw, const ptx_instr *in) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].op, in->op) == 0) {
            table[i].lower(lw, in);
            return;
        }
    }
    lower_unsupported(lw);
}

bool lower_needs_branch(const ptx_instr *in) {
    static const char *const names[] = {
        "call",  "ret",  "exit", "bar",      "barrier",  "shfl",      "vote",     "match",
        "redux", "trap", "mma",  "ldmatrix", "stmatrix", "movmatrix", "mbarrier", "vgpu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], in->op) == 0)
            return true;
    return strcmp(in->op, "wmma") == 0 && lower_has(in, "mma");
}
