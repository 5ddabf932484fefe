/*
 * lower_parts.c: what the files that lower instructions share; see lower_parts.h. Nothing here
 * knows an instruction.
 */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_lane.h"

#include <string.h>

/* ---- looking at modifiers ---- */

bool lower_has(const ptx_instr *in, const char *mod) {
    for (int i = 0; i < in->num_mods; i++)
        if (strcmp(in->mod[i], mod) == 0)
            return true;
    return false;
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

bool lower_is_float(enum ptx_type t) {
    return t == PT_F32 || t == PT_F64;
}

bool lower_is_int_pair(enum ptx_type t) {
    return t == PT_U16X2 || t == PT_S16X2;
}

enum ptx_type lower_unsigned_type(enum ptx_type t) {
    if (lower_is_int_pair(t))
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

int lower_rounding(const ptx_instr *in) {
    return lower_has(in, "rz") ? 1 : lower_has(in, "rm") ? 2 : lower_has(in, "rp") ? 3 : 0;
}

uint32_t lower_wide_flags(enum ptx_type d, enum ptx_type a, enum ptx_type b, enum ptx_type c) {
    return (ptx_type_size(d) == 8 ? WIDE_D : 0) | (ptx_type_size(a) == 8 ? WIDE_A : 0) |
           (ptx_type_size(b) == 8 ? WIDE_B : 0) | (ptx_type_size(c) == 8 ? WIDE_C : 0) |
           (ptx_type_size(d) == 2 ? HALF_D : 0) | (d == PT_PRED ? PRED_D : 0);
}

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
        o->e = lower_wide_flags(d, a, b, c);
    return o;
}

/* ---- rows ---- */

void lower_emit_mov(lowerer *lw, uint32_t d, uint32_t a, uint32_t lane_bytes) {
    op *o = lower_emit(lw, lane_bytes == 1 ? "mov.pred" : lane_bytes == 8 ? "mov.b64" : "mov.b32");
    o->d = d;
    o->a = a;
}

uint32_t lower_dst_or_none(lowerer *lw, const ptx_operand *o, enum ptx_type t) {
    return o->kind == PO_SINK ? 0 : lower_dst(lw, o, t);
}

uint32_t lower_flushed(lowerer *lw, uint32_t row) {
    const uint32_t d = lower_new_row(lw, 4);
    op *o = lower_emit(lw, "flush.f32");
    o->d = d;
    o->a = row;
    return d;
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

/* ---- what observers are told ---- */

void lower_finish_access(const lowerer *lw, op *o, enum vg_access_kind kind, uint32_t bytes) {
    o->access = (uint8_t)kind;
    o->bytes = (uint8_t)bytes;
    if (lw->observed) {
        o->plain = o->fn;
        const bool plain = o->space == PS_SHARED || o->space == PS_GLOBAL;
        const bool load = plain && o->fn == vg_find_op("ld.b32")->fn,
                   store = plain && o->fn == vg_find_op("st.b32")->fn;
        o->fn = vg_find_op(load    ? "observed.ld.b32"
                           : store ? "observed.st.b32"
                                   : "observed")
                    ->fn; /* tells, calls plain */
    }
}

void lower_tells_itself(const lowerer *lw, op *o, enum vg_access_kind kind, uint32_t bytes) {
    o->access = (uint8_t)kind;
    o->bytes = (uint8_t)bytes;
    o->plain = lw->observed ? o->fn : NULL;
}
