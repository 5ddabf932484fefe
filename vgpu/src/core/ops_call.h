/*
 * ops_call.h: calls at run time.
 *
 * A recursive function has a frame on the thread's stack, local memory from VG_STACK_OFFSET on,
 * which grows upwards:
 *
 *        sp of the caller = fp             fp + bytes = sp
 *        |  parameters, local arrays  |  saved rows  |
 *
 * Parameters arrive in static storage and are moved into the frame. Around a call that may come
 * back to the function, all its rows are saved. The rows sp (bytes), used (bytes as the device
 * would count them, against cudaLimitStackSize) and fp are 32-bit rows.
 */
#pragma once

#include "vgpu/src/core/program.h"

/* What a frame counts as, besides its local arrays:
 * return address and what registers a compiler spills. */
enum { VG_FRAME_COST = 32 };

typedef struct moved_bytes {
    uint32_t from, to, size;
} moved_bytes;

typedef struct saved_row {
    uint32_t row, offset; /* in the frame */
    uint8_t width;        /* 1: a predicate */
} saved_row;

/* op.extra of frame.open, frame.close, frame.save, frame.restore, frame.address */
typedef struct call_frame {
    uint32_t sp, used, fp; /* rows */
    uint32_t bytes, cost;
    moved_bytes *params;
    int num_params;
    saved_row *saved; /* the first one is the way back */
    int num_saved;
    placed_var *vars; /* of the frame: offset from fp */
    int num_vars;
} call_frame;

/* The op at an address that has lain on the stack, where kernels can write; NULL: there is none. */
static inline const op *vg_op_at(const program *p, uint64_t address) {
    const uint64_t at = address - (uint64_t)(uintptr_t)p->ops;
    const bool sound = at % sizeof(op) == 0 && at / sizeof(op) < (uint64_t)p->num_ops;
    return sound ? &p->ops[at / sizeof(op)] : NULL;
}

/* One function that a pointer may name. */
typedef struct call_target {
    uint64_t address;
    const op *entry;
    uint32_t return_row;
    const uint32_t *args, *rets; /* offsets of its parameters' and results' storage */
} call_target;

/* op.extra of call.indirect and call.results */
typedef struct indirect_call {
    uint32_t row; /* of the address */
    call_target *target;
    int num_targets;
    uint32_t *args, *arg_size, *rets, *ret_size; /* the caller's storage */
    int num_args, num_rets;
} indirect_call;

/* op.extra of brx */
typedef struct branch_table {
    uint32_t count;
    const op **target;
} branch_table;
