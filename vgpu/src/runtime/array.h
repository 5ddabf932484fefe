/*
 * array.h: CUDA arrays: device memory that copies and textures reach by coordinates, not by
 * addresses. Their elements lie row after row, without gaps; programs cannot see where.
 */
#pragma once

#include "vgpu/src/runtime/context.h"

struct cudaArray {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* elements; 0 where it has no such dimension; depth: or layers */
    unsigned int flags;
    uint64_t addr;
    size_t texel; /* bytes of an element */
};

/* Bytes of an element of this format; 0: textures have no such elements. */
size_t vg_texel_size(const struct cudaChannelFormatDesc *desc);
/* NULL: it was freed, or never made. */
const struct cudaArray *vg_array_of(const vg_context *ctx, cudaArray_const_t array);
/* Forgets all arrays; their memory is the caller's business. */
void vg_arrays_clear(vg_context *ctx);
