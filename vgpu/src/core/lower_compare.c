/* lower_compare.c: comparing, and choosing by what was found. */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_half.h"
#include "vgpu/src/core/ops_lane.h"

#include <stdio.h>
#include <string.h>

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
                *named = lower_unsigned_type(t);
                return unsigned_names[i].plain;
            }
        }
    }
    const char *name = lower_float_comparison(lw, in);
    if (!lower_is_float(t) &&
        (strcmp(name, "eq") == 0 || strcmp(name, "ne") == 0 || lower_type_name(t)[0] == 'b'))
        *named = lower_unsigned_type(t); /* equality knows no sign */
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

void lower_setp(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
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
void lower_set(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type dt = in->type[0], t = in->type[1];
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

void lower_selp(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    lower_emit_dabc(lw, in, ptx_type_size(t) == 8 ? "selp.b64" : "selp.b32", t, t, t, PT_PRED)
        ->aux = in->operand[3].negated;
}
void lower_slct(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0], ct = in->type[1];
    lower_emit_dabc(lw, in, "slct", t, t, t, ct)->aux = ct != PT_F32           ? 0
                                                        : lower_has(in, "ftz") ? 2
                                                                               : 1;
}
void lower_testp(lowerer *lw, const ptx_instr *in) {
    const enum ptx_type t = in->type[0];
    lower_emit_dabc(lw, in, t == PT_F64 ? "testp.f64" : "testp.f32", PT_PRED, t, PT_NONE, PT_NONE)
        ->aux = lower_has(in, "finite")       ? TESTP_FINITE
                : lower_has(in, "infinite")   ? TESTP_INFINITE
                : lower_has(in, "number")     ? TESTP_NUMBER
                : lower_has(in, "notanumber") ? TESTP_NOTANUMBER
                : lower_has(in, "normal")     ? TESTP_NORMAL
                                              : TESTP_SUBNORMAL;
}
