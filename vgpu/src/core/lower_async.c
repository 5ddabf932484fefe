/* lower_async.c: cp.async becomes two ops: one reads the source, one takes the destination; see
 * ops_async.h. And mbarriers, which some copies arrive at. */
#include "vgpu/src/core/lower_parts.h"
#include "vgpu/src/core/ops_async.h"

/* Row of the bytes to read, 0 for all: the fourth operand, a number or a predicate (true: none). */
static uint32_t source_size(lowerer *lw, const ptx_operand *o, uint32_t size) {
    const bool is_pred = o->kind == PO_REG && o->var->type == PT_PRED;
    if (!is_pred)
        return lower_src(lw, o, PT_U32);
    const uint32_t p = lower_pred(lw, o), none = lower_const(lw, 0, 4),
                   all = lower_const(lw, size, 4);
    const uint32_t d = lower_new_row(lw, 4);
    op *choose = lower_emit(lw, "selp.b32");
    choose->d = d;
    choose->a = none;
    choose->b = all;
    choose->c = p;
    choose->aux = o->negated;
    return d;
}

void lower_cp(lowerer *lw, const ptx_instr *in) {
    if (in->space != PS_SHARED || !lower_has(in, "global"))
        lower_unsupported(lw);
    if (in->num_operands < 3 || in->num_operands > 4 || in->operand[2].kind != PO_INT ||
        lower_has(in, "L2::cache_hint"))
        lower_unsupported(lw);
    const uint64_t size = in->operand[2].bits;
    if ((size != 4 && size != 8 && size != 16) || (in->code->id == PTX_CP_CG && size != 16)) {
        lower_fail(lw, VG_INVALID_PTX,
                   "cp.async of %llu bytes: it copies 4, 8 or 16 (with .cg: 16)",
                   (unsigned long long)size);
    }
    int64_t to_offset, from_offset;
    const uint32_t from = lower_address_row(lw, &in->operand[1], &from_offset);
    const uint32_t to = lower_address_row(lw, &in->operand[0], &to_offset);
    const uint32_t asked =
        in->num_operands == 4 ? source_size(lw, &in->operand[3], (uint32_t)size) : 0;
    const uint32_t bytes = lower_new_row(lw, 8); /* 16 bytes a lane: two rows of 8 */
    lower_new_row(lw, 8);
    op *o = lower_emit(lw, "cp.async.read");
    o->a = from;
    o->imm = from_offset;
    o->b = asked;
    o->d = bytes;
    o->aux = (uint32_t)size;
    o->space = PS_GLOBAL;
    lower_tells_itself(lw, o, VG_READ, (uint32_t)size);
    o = lower_emit(lw, "cp.async.start");
    o->a = to;
    o->imm = to_offset;
    o->b = bytes;
    o->aux = (uint32_t)size;
    o->space = PS_SHARED;
    lower_tells_itself(lw, o, VG_WRITE, (uint32_t)size);
}

/* ---- mbarriers; see ops_mbarrier.h ---- */

/* The op for an mbarrier at operand `which`: a and imm are its address. */
static op *mbarrier_emit(lowerer *lw, const ptx_instr *in, const char *key, int which) {
    const enum ptx_space space = in->space == PS_SHARED ? PS_SHARED : PS_GENERIC;
    int64_t offset;
    if (lower_has(in, "shared::cluster") || in->operand[which].kind != PO_ADDR)
        lower_unsupported(lw);
    const uint32_t at = lower_address_row(lw, &in->operand[which], &offset);
    op *o = lower_emit(lw, key);
    o->a = at;
    o->imm = offset;
    o->space = (uint8_t)space;
    lower_finish_access(lw, o, in->code->id == PTX_MB_INIT ? VG_WRITE : VG_ATOMIC, 8);
    return o;
}

/* cp.async.mbarrier.arrive */
void lower_cp_arrive(lowerer *lw, const ptx_instr *in) {
    if (!lower_has(in, "arrive"))
        lower_unsupported(lw);
    lower_need_operands(lw, in, 1);
    mbarrier_emit(lw, in, "mbarrier.promise", 0)->aux = lower_has(in, "noinc");
}

/* mbarrier.arrive[.noComplete] state, [at], count:
 * the last two operands may be missing, or the state `_`. */
void lower_mb_arrive(lowerer *lw, const ptx_instr *in) {
    if (in->num_operands < 2 || in->num_operands > 3 || lower_has(in, "expect_tx"))
        lower_unsupported(lw);
    const uint32_t count = in->num_operands == 3 ? lower_src(lw, &in->operand[2], PT_U32) : 0;
    const uint32_t state = lower_dst_or_none(lw, &in->operand[0], PT_B64);
    op *o = mbarrier_emit(lw, in, "mbarrier.arrive", 1);
    o->b = count;
    o->d = state;
    o->aux = (in->code->id == PTX_MB_DROP ? 1 : 0) | (lower_has(in, "noComplete") ? 2 : 0);
}

/* mbarrier.test_wait[.parity] p, [at], state (parity); try_wait may have a time limit besides. */
void lower_mb_test(lowerer *lw, const ptx_instr *in) {
    const bool parity = lower_has(in, "parity");
    if (in->num_operands != 3 && !(in->num_operands == 4 && in->code->id == PTX_MB_TRY))
        lower_unsupported(lw);
    const uint32_t b = lower_src(lw, &in->operand[2], parity ? PT_U32 : PT_B64);
    const uint32_t d = lower_pred(lw, &in->operand[0]);
    op *o = mbarrier_emit(lw, in, "mbarrier.test", 1);
    o->b = b;
    o->d = d;
    o->aux = parity;
}

void lower_mb_init(lowerer *lw, const ptx_instr *in) {
    lower_need_operands(lw, in, 2);
    const uint32_t count = lower_src(lw, &in->operand[1], PT_U32);
    mbarrier_emit(lw, in, "mbarrier.init", 0)->b = count;
}

void lower_mb_inval(lowerer *lw, const ptx_instr *in) {
    lower_need_operands(lw, in, 1);
    mbarrier_emit(lw, in, "mbarrier.inval", 0);
}

void lower_mb_pending(lowerer *lw, const ptx_instr *in) {
    lower_need_operands(lw, in, 2);
    const uint32_t a = lower_src(lw, &in->operand[1], PT_B64),
                   d = lower_dst(lw, &in->operand[0], PT_U32);
    op *o = lower_emit(lw, "mbarrier.count");
    o->a = a;
    o->d = d;
}

/* ---- groups of copies ---- */

void lower_cp_commit(lowerer *lw, const ptx_instr *in) {
    (void)in;
    lower_emit(lw, "cp.async.commit");
}

void lower_cp_wait(lowerer *lw, const ptx_instr *in) {
    lower_need_operands(lw, in, 1);
    if (in->operand[0].kind != PO_INT)
        lower_unsupported(lw);
    lower_emit(lw, "cp.async.wait")->aux = (uint32_t)in->operand[0].bits;
}

void lower_cp_wait_all(lowerer *lw, const ptx_instr *in) {
    (void)in;
    lower_emit(lw, "cp.async.wait")->aux = UINT32_MAX;
}
