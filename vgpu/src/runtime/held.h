/*
 * held.h: VGPU_DEBUG: a person's debugger holds the program's kernels (vgpu/src/debug).
 *
 *     VGPU_DEBUG   the number of an open socket, as vgpu-debug hands it down
 *
 * The program then runs with one worker, and its kernels' watched builds in place of the graded
 * ones. It is held before main, when all its device code is known.
 *
 * Contract: without VGPU_DEBUG nothing here is done but one test at a launch.
 */
#pragma once

#include "vgpu/src/runtime/context.h"

/* Is the program debugged? */
bool vg_is_held(void);
/* The names of a module that has a watched build, for the debugger. False: the program is not
 * debugged, or they cannot be read. */
bool vg_held_find(vg_context *ctx, vg_fatbin *fatbin);
/* The executor is there. False: out of memory. */
bool vg_held_attach(vg_context *ctx);
/* Around each launch. */
void vg_held_begin(vg_context *ctx, const vg_function *fn);
void vg_held_end(vg_context *ctx);
/* A copy brings these bytes of device memory to the host. */
void vg_held_copied(const void *host, uint64_t device, uint64_t bytes);
