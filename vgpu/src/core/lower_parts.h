/*
 * lower_parts.h: what the files that lower instructions share (lower_parts.c): looking at
 * modifiers, and emitting what many instructions need. Each family has a file of its own; opcodes.h
 * says which function lowers an instruction, and declares it.
 */
#pragma once

#include "vgpu/src/core/lower.h"
#include "vgpu/src/core/observe.h"

bool lower_has(const ptx_instr *in, const char *mod);
const char *lower_type_name(enum ptx_type t); /* "f32"; "?" for none */
bool lower_is_float(enum ptx_type t);         /* f32, f64 */
bool lower_is_int_pair(enum ptx_type t);
/* The same width, sign forgotten: what "add" and "xor" care about. */
enum ptx_type lower_unsigned_type(enum ptx_type t);
/* 0 nearest, 1 zero, 2 down, 3 up */
int lower_rounding(const ptx_instr *in);
/* Fails unless there are n operands. */
void lower_need_operands(lowerer *lw, const ptx_instr *in, int n);

/* d = f(a, b, c), the operands after the first being of the given types. PT_NONE: there is none. */
op *lower_emit_dabc(lowerer *lw, const ptx_instr *in, const char *key, enum ptx_type d,
                    enum ptx_type a, enum ptx_type b, enum ptx_type c);
/* What handlers of a lane at a time are told of their operands' widths, in op.e. */
uint32_t lower_wide_flags(enum ptx_type d, enum ptx_type a, enum ptx_type b, enum ptx_type c);
/* A float32 row with its subnormals made zeros, for .ftz instructions without code of their own. */
uint32_t lower_flushed(lowerer *lw, uint32_t row);
/* Fails where a register is narrower than the type, or wider and no integer's. */
void lower_check_register(lowerer *lw, const ptx_operand *o, enum ptx_type t);
void lower_emit_mov(lowerer *lw, uint32_t d, uint32_t a, uint32_t lane_bytes);
/* Row of a destination, 0 for `_`. */
uint32_t lower_dst_or_none(lowerer *lw, const ptx_operand *o, enum ptx_type t);
/* A 64-bit row of an operand that may sit in a 32-bit register. */
uint32_t lower_wide_source(lowerer *lw, const ptx_operand *o);
/* Row and constant offset of [base + offset]. */
uint32_t lower_address_row(lowerer *lw, const ptx_operand *o, int64_t *offset);
/* What observers will be told of the op. */
void lower_finish_access(const lowerer *lw, op *o, enum vg_access_kind kind, uint32_t bytes);
/* The same for ops that tell observers themselves (op.plain is then not NULL). */
void lower_tells_itself(const lowerer *lw, op *o, enum vg_access_kind kind, uint32_t bytes);
/* "lt" … of a comparison, for floats; lower_unsupported when there is none. */
const char *lower_float_comparison(lowerer *lw, const ptx_instr *in);
/* How a comparison's third predicate joins in (predicates.h), and its row, from operand 3. */
uint32_t lower_combination(lowerer *lw, const ptx_instr *in, uint32_t *aux);

/* ---- lower_half.c ---- */

bool lower_is_half(enum ptx_type t); /* f16, bf16 or a pair of them */
void lower_half_arithmetic(lowerer *lw, const ptx_instr *in, int sources);
void lower_half_setp(lowerer *lw, const ptx_instr *in);
void lower_half_set(lowerer *lw, const ptx_instr *in);
/* cvt to pairs of halves, and to tf32 */
void lower_half_cvt(lowerer *lw, const ptx_instr *in);
