/*
 * lower_calls.h: calls. Arguments and results pass through storage that belongs to the callee, in
 * the thread's local memory; registers are rows of their own for each function. A function that may
 * be active more than once on a thread (it calls itself, directly, through others or through a
 * pointer) has a frame besides: see ops_call.h.
 */
#pragma once

#include "vgpu/src/core/lower.h"

/* Lists the kernel and all that it may call, and who calls whom; recursive functions get frames. */
void lower_find_functions(lowerer *lw, const ptx_func *kernel);
/* Before a function is lowered, its calls' argument variables are tied to the callees' own.
 * Arguments are stored before the call stands in the text, so this can't wait until then. */
void lower_bind_calls(lowerer *lw, const lowered_func *lf);

/* A function's first ops and its last ones; nothing when it has no frame.
 * The kernel's frame is the bottom. */
void lower_open_frame(lowerer *lw, lowered_func *lf);
void lower_close_frame(lowerer *lw, const lowered_func *lf);
/* When all functions are lowered: the sizes of frames. */
void lower_finish_frames(lowerer *lw);

/* True for parameters and local arrays of the recursive function at hand. */
bool lower_is_in_frame(const lowerer *lw, const ptx_var *v);
/* Row of such a variable's address in local memory, plus offset. */
uint32_t lower_frame_address(lowerer *lw, const ptx_var *v, uint64_t offset, uint32_t lane_bytes);
