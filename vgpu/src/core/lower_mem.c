/* lower_mem.c: loads, stores, atomic operations and fences. */
#include "vgpu/src/core/lower_parts.h"

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

static void memory_op(lowerer *lw, const ptx_instr *in, bool store) {
    const enum ptx_type t = in->type[0];
    const int count = vector_count(in);
    lower_need_operands(lw, in, 2);
    const ptx_operand *address = &in->operand[store ? 0 : 1], *value = &in->operand[store ? 1 : 0];
    enum ptx_space space = in->space;
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
    lw->program.tells_host |=
        in->scope == SCOPE_SYSTEM ||
        (store && in->order == ORDER_VOLATILE && (space == PS_GLOBAL || space == PS_GENERIC));
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
    /* By such accesses to global memory blocks wait for each other, on several host threads. */
    const bool ordered = in->order >= ORDER_RELAXED && count == 1 && ptx_type_size(t) >= 4 &&
                         (space == PS_GLOBAL || space == PS_GENERIC);
    const bool simple = !ordered && count == 1 && ptx_type_size(t) == 4 && ptx_type_size(reg) == 4;
    op *o = lower_emit(lw, ordered  ? (store ? "st.order" : "ld.order")
                           : simple ? (store ? "st.b32" : "ld.b32")
                           : store  ? "st.any"
                                    : "ld.any");
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
void lower_ld(lowerer *lw, const ptx_instr *in) {
    memory_op(lw, in, false);
}
void lower_st(lowerer *lw, const ptx_instr *in) {
    memory_op(lw, in, true);
}

static const ptx_operand *element(const ptx_operand *o, int i) {
    return o->kind == PO_VECTOR && i < o->num_elem ? &o->elem[i] : o;
}

/* One atomic operation a lane, or (sm_90: float2 and float4) one for each element of a vector. */
void lower_atom(lowerer *lw, const ptx_instr *in) {
    const bool red = in->code->memory == MEM_REDUCTION;
    const int count = vector_count(in);
    const enum ptx_type t = in->type[0];
    const enum ptx_atom kind = in->atom;
    const int first = red ? 0 : 1;
    const bool real = lower_is_float(t), half = lower_is_half(t);
    const bool short_cas = t == PT_B16 && kind == ATOM_CAS;
    if (kind == ATOM_NONE ||
        (ptx_type_size(t) != 4 && ptx_type_size(t) != 8 && !half && !short_cas) ||
        (count != 1 && (t != PT_F32 || kind != ATOM_ADD)) ||
        (real && kind != ATOM_ADD && kind != ATOM_EXCH) ||
        (half && (kind != ATOM_ADD || !lower_has(in, "noftz"))))
        lower_unsupported(lw);
    lower_need_operands(lw, in, first + (kind == ATOM_CAS ? 3 : 2));
    lw->program.mingles |= in->space != PS_SHARED;
    lw->program.tells_host |= in->scope == SCOPE_SYSTEM;
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
        o->space = (uint8_t)in->space;
        o->slot = VG_NEEDS_SLOT;
        o->aux = (uint32_t)kind | (uint32_t)t << 4;
        lower_finish_access(lw, o, VG_ATOMIC, ptx_type_size(t));
    }
}

/* Fences order what blocks do to memory. */
void lower_fence(lowerer *lw, const ptx_instr *in) {
    lw->program.tells_host |= in->scope == SCOPE_SYSTEM;
    lower_emit(lw, "fence");
}
