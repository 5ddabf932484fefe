/*
 * memory.h: how calls that make and free device memory do it, for those outside memory.c.
 */
#pragma once

#include "vgpu/src/runtime/context.h"

/* In an API function: where in the program it was called. */
#define RETURNS_TO __builtin_return_address(0)

/* `size` bytes for the API function of `by`; *ptr is NULL for none. */
cudaError_t vg_allocate(vg_context *ctx, vg_maker by, enum vg_mem_kind kind, void **ptr,
                        size_t size);
/* Frees them; says what is wrong where that cannot be done. */
cudaError_t vg_release(vg_context *ctx, const char *call, const void *caller, void *ptr,
                       enum vg_mem_kind kind);
