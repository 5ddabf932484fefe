/* lower_move.c: moves, conversions, and addresses from one space to another. */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_lane.h"

#include <stdio.h>
#include <string.h>

static void emit_pack(lowerer *lw, const char *key, uint32_t d, uint32_t low, uint32_t high) {
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
        emit_pack(lw, "pack.b64", d, lower_src(lw, &v->elem[0], PT_B32),
                  lower_src(lw, &v->elem[1], PT_B32));
    } else if (v->num_elem == 2 && ptx_type_size(t) == 4) {
        emit_pack(lw, "pack.b32", d, lower_src(lw, &v->elem[0], PT_B16),
                  lower_src(lw, &v->elem[1], PT_B16));
    } else if (v->num_elem == 4 && ptx_type_size(t) == 8) {
        const uint32_t low = lower_new_row(lw, 4), high = lower_new_row(lw, 4);
        emit_pack(lw, "pack.b32", low, lower_src(lw, &v->elem[0], PT_B16),
                  lower_src(lw, &v->elem[1], PT_B16));
        emit_pack(lw, "pack.b32", high, lower_src(lw, &v->elem[2], PT_B16),
                  lower_src(lw, &v->elem[3], PT_B16));
        emit_pack(lw, "pack.b64", d, low, high);
    } else {
        lower_unsupported(lw);
    }
}

static void emit_unpack(lowerer *lw, const char *key, uint32_t low, uint32_t high, uint32_t a) {
    op *o = lower_emit(lw, key);
    o->d = low;
    o->e = high;
    o->a = a;
}

static void mov_to_vector(lowerer *lw, const ptx_instr *in, enum ptx_type t) {
    const ptx_operand *v = &in->operand[0];
    const uint32_t a = lower_src(lw, &in->operand[1], t);
    const enum ptx_type half = ptx_type_size(t) == 8 && v->num_elem == 2 ? PT_B32 : PT_B16;
    if (v->num_elem == 2) {
        emit_unpack(lw, ptx_type_size(t) == 8 ? "unpack.b64" : "unpack.b32",
                    lower_dst_or_none(lw, &v->elem[0], half),
                    lower_dst_or_none(lw, &v->elem[1], half), a);
    } else if (v->num_elem == 4 && ptx_type_size(t) == 8) {
        const uint32_t low = lower_new_row(lw, 4), high = lower_new_row(lw, 4);
        emit_unpack(lw, "unpack.b64", low, high, a);
        emit_unpack(lw, "unpack.b32", lower_dst_or_none(lw, &v->elem[0], half),
                    lower_dst_or_none(lw, &v->elem[1], half), low);
        emit_unpack(lw, "unpack.b32", lower_dst_or_none(lw, &v->elem[2], half),
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

void lower_mov(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
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

void lower_cvt(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type d = in->type[0], s = in->type[1];
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

/* cvt.pack.sat.TYPE.s32.b32 d, a, b, c: a and b, cut to the type, and above them what there is room
 * for of c. Two of 16 bits leave none: there is no .b32 and no c. */
void lower_cvt_pack(lowerer *lw, const ptx_instr *in) {
    static const char *const types[] = {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"};
    uint32_t t = 0;
    while (t < sizeof types / sizeof *types && !lower_has(in, types[t]))
        t++;
    if (t == sizeof types / sizeof *types || !lower_has(in, "sat") || !lower_has(in, "s32"))
        lower_unsupported(lw);
    const uint32_t bits = 16u >> t / 2;
    const bool rest = bits < 16;
    if (lower_has(in, "b32") != rest)
        lower_unsupported(lw);
    lower_emit_dabc(lw, in, "cvt.pack", PT_B32, PT_S32, PT_S32, rest ? PT_B32 : PT_NONE)->aux =
        bits | (t % 2 == 1 ? CVT_PACK_SIGNED : 0);
}

void lower_cvta(lowerer *lw, const ptx_instr *in) {
    const enum ptx_space space = in->space;
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

void lower_isspacep(lowerer *lw, const ptx_instr *in) {
    lower_need_operands(lw, in, 2);
    const uint32_t a = lower_src(lw, &in->operand[1], PT_U64),
                   d = lower_dst(lw, &in->operand[0], PT_PRED);
    op *o = lower_emit(lw, "isspacep");
    o->d = d;
    o->a = a;
    o->aux = in->space;
}
