/* array.c: making, freeing and asking for CUDA arrays; see array.h. */
#include "vgpu/src/runtime/array.h"

#include "vgpu/src/runtime/memory.h"

#include <stdlib.h>

size_t vg_texel_size(const struct cudaChannelFormatDesc *desc) {
    const int bits[4] = {desc->x, desc->y, desc->z, desc->w};
    int channels = 0;
    while (channels < 4 && bits[channels] != 0)
        channels++;
    for (int i = 1; i < 4; i++)
        if (bits[i] != (i < channels ? bits[0] : 0))
            return 0;
    const bool is_float = desc->f == cudaChannelFormatKindFloat;
    if ((channels != 1 && channels != 2 && channels != 4) ||
        (bits[0] != 8 && bits[0] != 16 && bits[0] != 32) || (is_float && bits[0] == 8) ||
        (!is_float && desc->f != cudaChannelFormatKindSigned &&
         desc->f != cudaChannelFormatKindUnsigned))
        return 0;
    return (size_t)(channels * bits[0] / 8);
}

const struct cudaArray *vg_array_of(const vg_context *ctx, cudaArray_const_t array) {
    return vg_ptrmap_get(&ctx->arrays, array);
}

static void drop(const void *key, void *value, void *arg) {
    (void)key, (void)arg;
    free(value);
}

void vg_arrays_clear(vg_context *ctx) {
    vg_ptrmap_each(&ctx->arrays, drop, NULL);
    vg_ptrmap_clear(&ctx->arrays);
}

/* Faces of cubes and the like: flags of arrays that are not here. */
static bool is_plain(vg_context *ctx, const char *call, unsigned int flags) {
    if ((flags &
         ~(unsigned)(cudaArraySurfaceLoadStore | cudaArrayTextureGather | cudaArrayLayered)) == 0)
        return true;
    vg_tell(ctx, VG_NOTE(UNSUPPORTED, .call = call, .name = "cube and sparse arrays",
                         .other = ": make an array of layers (cudaArrayLayered)",
                         .is.status = cudaErrorNotSupported));
    return false;
}

static cudaError_t make(vg_context *ctx, const char *call, const void *caller, cudaArray_t *array,
                        const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                        unsigned int flags) {
    const bool layered = (flags & cudaArrayLayered) != 0;
    if (!array || !desc || extent.width == 0 ||
        (layered ? extent.depth == 0 : extent.depth > 0 && extent.height == 0))
        return cudaErrorInvalidValue;
    const size_t texel = vg_texel_size(desc);
    if (texel == 0)
        return cudaErrorInvalidChannelDescriptor;
    if (!is_plain(ctx, call, flags))
        return cudaErrorNotSupported;
    size_t bytes = 0;
    void *memory = NULL;
    if (__builtin_mul_overflow(extent.width, texel, &bytes) ||
        __builtin_mul_overflow(bytes, extent.height ? extent.height : 1, &bytes) ||
        __builtin_mul_overflow(bytes, extent.depth ? extent.depth : 1, &bytes))
        return cudaErrorInvalidValue;
    cudaError_t error =
        vg_allocate(ctx, (vg_maker){call, "cudaFreeArray", caller}, VG_MEM_DEVICE, &memory, bytes);
    if (error != cudaSuccess)
        return error;
    struct cudaArray *a = malloc(sizeof *a);
    if (!a || !vg_ptrmap_put(&ctx->arrays, a, a)) {
        free(a);
        vg_release(ctx, call, caller, memory, VG_MEM_DEVICE);
        return cudaErrorMemoryAllocation;
    }
    *a = (struct cudaArray){*desc, extent, flags, (uint64_t)(uintptr_t)memory, texel};
    *array = a;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = make(ctx, "cudaMallocArray", RETURNS_TO, array, desc,
                     (struct cudaExtent){width, height, 0}, flags);
    return vg_end(ctx, error);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = make(ctx, "cudaMalloc3DArray", RETURNS_TO, array, desc, extent, flags);
    return vg_end(ctx, error);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    struct cudaArray *a = NULL;
    vg_all_done(ctx); /* as cudaFree */
    if (error == cudaSuccess && array) {
        a = vg_ptrmap_take(&ctx->arrays, array);
        error = a ? vg_release(ctx, "cudaFreeArray", RETURNS_TO, (void *)(uintptr_t)a->addr,
                               VG_MEM_DEVICE)
                  : cudaErrorInvalidResourceHandle;
        if (!a)
            vg_blame(ctx, VG_NOTE(ARRAY_NONE, .call = "cudaFreeArray",
                                  .is.address = (uint64_t)(uintptr_t)array));
    }
    free(a);
    return vg_end(ctx, error);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const struct cudaArray *a = vg_array_of(ctx, array);
    if (error == cudaSuccess && !a)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && desc)
        *desc = a->desc;
    if (error == cudaSuccess && extent)
        *extent = a->extent;
    if (error == cudaSuccess && flags)
        *flags = a->flags;
    return vg_end(ctx, error);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const struct cudaArray *a = vg_array_of(ctx, array);
    if (error == cudaSuccess)
        error = a && desc ? cudaSuccess : cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        *desc = a->desc;
    return vg_end(ctx, error);
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f) {
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}
