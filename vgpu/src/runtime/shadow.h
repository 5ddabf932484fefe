/*
 * shadow.h: notices host code that reads or writes a device variable by its name.
 *
 * The host has a copy of each __device__ and __constant__ variable under the same name, its shadow:
 * only its address means anything (cudaMemcpyToSymbol). vgpucc gives the shadows pages of their own
 * (vgpu/tools/vgpucc_shadows.h), which are closed here when they are registered. The first touch of
 * each is told, with its line; then its pages are open, and the program goes on as on a GPU.
 *
 * A system call that is handed a closed shadow fails with EFAULT instead, and nothing is told.
 *
 * Where shadows share pages with other variables (nvcc's host code, shared libraries), nothing is
 * closed; register.c then compares them at each launch.
 */
#pragma once

#include "vgpu/src/runtime/context.h"
#include "vgpu/src/runtime/shadow_section.h"

#include <signal.h>

/* False: it shares its pages, or the system refuses. With the context's lock held. */
bool vg_shadow_close(vg_context *ctx, const void *shadow, size_t size);
/* Lets the host have it, without a word. With the lock held. */
void vg_shadow_open(const void *shadow, vg_variable *variable);

/* For vg_launch_params, with a vg_context: the variable whose shadow holds the address. */
bool vg_shadow_names(void *context, uint64_t address, char *name, size_t len);

/* From the handler of SIGSEGV: true when this was a touch of a closed shadow, which is open now. */
bool vg_shadow_caught(vg_context *ctx, const siginfo_t *info, const void *ucontext,
                      enum vgpu_access access);
