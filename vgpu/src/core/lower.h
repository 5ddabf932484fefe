/*
 * lower.h: the state of turning one kernel's PTX into ops, and what lower.c offers the functions
 * that lower instructions: rows for operands, and a place to put ops.
 *
 * Errors leave through lower_fail, which never returns.
 */
#pragma once

#include "vgpu/src/core/cfg.h"
#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/core/optable.h"

typedef struct lowered_func {
    const ptx_func *func;
    cfg *graph;
    uint32_t *row_of;    /* by register index; 0: not placed yet */
    uint8_t *width_of;   /* of those rows: bytes a lane, 1 for predicates */
    uint32_t return_row; /* where callers note the way back      */
    int first_op, epilogue_op;
    int *op_of_block;
    struct call_frame *frame;      /* recursive functions: see ops_call.h; else NULL */
    struct lowered_func **callees; /* functions that it may call */
    int num_callees;
    struct lowered_func *next;
} lowered_func;

/* A branch or call whose target is known when all functions have been lowered. */
typedef struct fixup {
    int op;
    const lowered_func *func; /* where the block is             */
    int block;                /* target, or -1: func's first op */
    int join;                 /* block of the meeting point, or -1 */
    int op_target, op_join;   /* instead, when >= 0; op_target == op: join only */
    const op **slot;          /* where to put the target, NULL: op.target */
} fixup;

/* A .param variable of a call is the callee's own storage: nothing is copied. */
typedef struct alias {
    const ptx_var *caller, *callee;
} alias;

typedef struct lowerer {
    vg_kernel *kernel;
    bool observed;
    program program; /* being made */
    ptx_module *module;
    vg_arena *arena;
    vg_fault *fault;
    jmp_buf escape;
    lowered_func *funcs, *current;
    int block;           /* of the current function's graph */
    const ptx_instr *at; /* instruction being lowered, for messages and positions */
    op *ops;
    int num_ops;
    fixup *fixups;
    int num_fixups;
    alias *aliases;
    int num_aliases;
    row_init *inits;
    int num_inits;
    placed_var *shared, *local;
    int num_shared, num_local;
    uint32_t pred_chunk, preds_left; /* predicates share chunks of 64 bytes */
    uint32_t scratch32, scratch64, scratch_pred;
    uint32_t natural_shared; /* bytes without the gaps */
    int num_regs;            /* 32-bit registers alive at once, callees' added */
    bool recursive;          /* some function may be active more than once */
} lowerer;

_Noreturn void lower_fail(lowerer *lw, enum vg_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "the virtual GPU has no `tex.2d.v4.f32.s32`", the instruction being the one at hand */
_Noreturn void lower_unsupported(lowerer *lw);

/* ---- rows ---- */

uint32_t lower_new_row(lowerer *lw, uint32_t lane_bytes); /* 4, 8, or 1: a predicate */
uint32_t lower_const(lowerer *lw, uint64_t bits, uint32_t lane_bytes);
/* A row that is filled before the block starts. */
uint32_t lower_init_row(lowerer *lw, row_init init);
uint32_t lower_sreg(lowerer *lw, enum sreg which);
/* Row of a source operand of this type: register, literal, address of a variable. */
uint32_t lower_src(lowerer *lw, const ptx_operand *o, enum ptx_type type);
/* Row of a destination; a scratch row for `_`. */
uint32_t lower_dst(lowerer *lw, const ptx_operand *o, enum ptx_type type);
uint32_t lower_pred(lowerer *lw, const ptx_operand *o);

/* ---- variables ---- */

const placed_var *lower_place_shared(lowerer *lw, const ptx_var *v);
const placed_var *lower_place_local(lowerer *lw, const ptx_var *v);
bool lower_is_kernel_param(const lowerer *lw, const ptx_var *v);

bool lower_is_own_parameter(const ptx_func *f, const ptx_var *v);
/* The callee's parameter that this variable of the caller is tied to, or NULL. */
const ptx_var *lower_bound_to(const lowerer *lw, const ptx_var *v);

/* ---- ops ---- */

/* Puts a function at the end of those to be lowered, once. */
lowered_func *lower_add_function(lowerer *lw, const ptx_func *f);
/* Observed programs: what follows is counted as one. `key` is the op that counts.
 * NULL in plain programs. */
op *lower_begin_code_block(lowerer *lw, const char *key);
/* Appends an op with the current position. The pointer holds until the next emit. */
op *lower_emit(lowerer *lw, const char *key);
op *lower_emit_fn(lowerer *lw, op_fn fn);
void lower_fixup(lowerer *lw, fixup f);

/* lower_flow.c: the ops of the current function's block b. */
void lower_block(lowerer *lw, int b);

static inline uint32_t lane_bytes_of(enum ptx_type type) {
    return type == PT_PRED ? 1 : ptx_type_size(type) == 8 ? 8 : 4;
}
