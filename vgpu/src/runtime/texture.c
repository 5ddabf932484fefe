/*
 * texture.c: texture objects: what a program says of one becomes what kernels fetch from
 * (vgpu/src/core/texture.h).
 */
#include "vgpu/src/core/texture.h"

#include "vgpu/src/runtime/array.h"

#include <stdio.h>
#include <stdlib.h>

/* As the program described it, for those who ask; by handle, like the textures. */
typedef struct vg_texture_object {
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
} vg_texture_object;

enum { LINEAR_ALIGNMENT = 512, PITCH_ALIGNMENT = 32 }; /* bytes, as the device's properties say */

static cudaError_t unsupported(const vg_context *ctx, const char *name, const char *instead) {
    vg_tell(ctx, VG_NOTE(UNSUPPORTED, .call = "cudaCreateTextureObject", .name = name,
                         .other = instead, .is.status = cudaErrorNotSupported));
    return cudaErrorNotSupported;
}

static void set_format(vg_texture *t, const struct cudaChannelFormatDesc *desc) {
    t->bits = desc->x;
    t->channels = desc->y == 0 ? 1 : desc->z == 0 ? 2 : 4;
    t->kind = desc->f == cudaChannelFormatKindFloat    ? VG_TEXEL_FLOAT
              : desc->f == cudaChannelFormatKindSigned ? VG_TEXEL_SIGNED
                                                       : VG_TEXEL_UNSIGNED;
}

/* ---- what it is made of ---- */

static cudaError_t of_array(vg_context *ctx, const struct cudaResourceDesc *r, vg_texture *t) {
    const struct cudaArray *a = vg_array_of(ctx, r->res.array.array);
    if (!a) {
        vg_blame(ctx, VG_NOTE(ARRAY_NONE, .call = "cudaCreateTextureObject",
                              .is.address = (uint64_t)(uintptr_t)r->res.array.array));
        return cudaErrorInvalidValue;
    }
    const bool layered = (a->flags & cudaArrayLayered) != 0;
    const size_t extent[] = {a->extent.width, a->extent.height, layered ? 0 : a->extent.depth};
    for (int d = 0; d < VG_TEXTURE_DIMS; d++) {
        t->extent[d] = extent[d] > 0 ? extent[d] : 1;
        t->dims += extent[d] > 0;
    }
    set_format(t, &a->desc);
    t->addr = a->addr;
    t->pitch = a->extent.width * a->texel;
    t->slice = t->pitch * t->extent[1];
    t->layers = layered ? (uint32_t)a->extent.depth : 0;
    snprintf(t->label, sizeof t->label, "an array of %d dimension%s%s", t->dims,
             t->dims == 1 ? "" : "s", layered ? " and layers" : "");
    return cudaSuccess;
}

/* Memory of the program's own: rows of elements, or one row. */
static cudaError_t of_memory(vg_context *ctx, const void *ptr,
                             const struct cudaChannelFormatDesc *desc, size_t bytes,
                             vg_texture *t) {
    if (vg_texel_size(desc) == 0)
        return cudaErrorInvalidChannelDescriptor;
    if ((uintptr_t)ptr % LINEAR_ALIGNMENT != 0 ||
        !vg_device_bytes(ctx, "cudaCreateTextureObject", VGPU_RANGE, ptr, bytes))
        return cudaErrorInvalidValue;
    set_format(t, desc);
    t->addr = (uint64_t)(uintptr_t)ptr;
    t->extent[1] = t->extent[2] = 1;
    return cudaSuccess;
}

static cudaError_t of_linear(vg_context *ctx, const struct cudaResourceDesc *r, vg_texture *t) {
    const size_t bytes = r->res.linear.sizeInBytes;
    const cudaError_t error = of_memory(ctx, r->res.linear.devPtr, &r->res.linear.desc, bytes, t);
    if (error != cudaSuccess)
        return error;
    t->dims = 1;
    t->by_number = true;
    t->extent[0] = bytes / vg_texel_bytes(t);
    snprintf(t->label, sizeof t->label, "linear memory");
    return t->extent[0] > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t of_pitch(vg_context *ctx, const struct cudaResourceDesc *r, vg_texture *t) {
    const size_t width = r->res.pitch2D.width, height = r->res.pitch2D.height,
                 pitch = r->res.pitch2D.pitchInBytes, texel = vg_texel_size(&r->res.pitch2D.desc);
    size_t row = 0, bytes = 0;
    if (width == 0 || height == 0 || pitch % PITCH_ALIGNMENT != 0 ||
        __builtin_mul_overflow(width, texel, &row) || row > pitch ||
        __builtin_mul_overflow(pitch, height - 1, &bytes) ||
        __builtin_add_overflow(bytes, row, &bytes))
        return cudaErrorInvalidValue;
    const cudaError_t error = of_memory(ctx, r->res.pitch2D.devPtr, &r->res.pitch2D.desc, bytes, t);
    t->dims = 2;
    t->extent[0] = width;
    t->extent[1] = height;
    t->pitch = pitch;
    snprintf(t->label, sizeof t->label, "pitched memory");
    return error;
}

/* ---- how it is read ---- */

static cudaError_t set_sampling(vg_context *ctx, const struct cudaTextureDesc *d, vg_texture *t) {
    if (d->sRGB || d->maxAnisotropy > 1)
        return unsupported(ctx, "sRGB and anisotropic filters", "");
    if ((unsigned)d->filterMode > cudaFilterModeLinear ||
        (unsigned)d->readMode > cudaReadModeNormalizedFloat)
        return cudaErrorInvalidValue;
    for (int i = 0; i < VG_TEXTURE_DIMS; i++) {
        if ((unsigned)d->addressMode[i] > cudaAddressModeBorder)
            return cudaErrorInvalidValue;
        t->address[i] = (enum vg_address_mode)d->addressMode[i];
    }
    t->linear = d->filterMode == cudaFilterModeLinear && !t->by_number;
    t->normalised = d->normalizedCoords != 0;
    t->normalised_values =
        d->readMode == cudaReadModeNormalizedFloat && t->kind != VG_TEXEL_FLOAT && t->bits < 32;
    for (int i = 0; i < VG_TEXEL_CHANNELS; i++)
        t->border[i] = t->by_number ? 0 : d->borderColor[i];
    const bool floats = t->kind == VG_TEXEL_FLOAT || t->normalised_values;
    return t->linear && !floats ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

static cudaError_t describe(vg_context *ctx, const struct cudaResourceDesc *r,
                            const struct cudaTextureDesc *d, const struct cudaResourceViewDesc *v,
                            vg_texture *t) {
    cudaError_t error;
    if (v && v->format != cudaResViewFormatNone)
        return unsupported(ctx, "views of resources", ": describe the format in the array");
    switch (r->resType) {
    case cudaResourceTypeArray: error = of_array(ctx, r, t); break;
    case cudaResourceTypeLinear: error = of_linear(ctx, r, t); break;
    case cudaResourceTypePitch2D: error = of_pitch(ctx, r, t); break;
    case cudaResourceTypeMipmappedArray: return unsupported(ctx, "mipmapped arrays", "");
    default: return cudaErrorInvalidValue;
    }
    return error == cudaSuccess ? set_sampling(ctx, d, t) : error;
}

/* ---- the calls ---- */

static cudaError_t keep(vg_context *ctx, const struct cudaResourceDesc *r,
                        const struct cudaTextureDesc *d, const vg_texture *t,
                        cudaTextureObject_t *object) {
    vg_texture_object *objects =
        realloc(ctx->texture_objects, (ctx->textures.count + 1) * sizeof *objects);
    if (!objects)
        return cudaErrorMemoryAllocation;
    ctx->texture_objects = objects;
    const uint64_t handle = vg_textures_add(&ctx->textures, t);
    if (handle == 0)
        return cudaErrorMemoryAllocation;
    objects[handle - 1] = (vg_texture_object){*r, *d};
    *object = handle;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject,
                                    const struct cudaResourceDesc *pResDesc,
                                    const struct cudaTextureDesc *pTexDesc,
                                    const struct cudaResourceViewDesc *pResViewDesc) {
    vg_texture t = {0};
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (!pTexObject || !pResDesc || !pTexDesc))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && ctx->journal)
        error = unsupported(ctx, "textures in graded work", ": read the array itself");
    if (error == cudaSuccess)
        error = describe(ctx, pResDesc, pTexDesc, pResViewDesc, &t);
    if (error == cudaSuccess)
        error = keep(ctx, pResDesc, pTexDesc, &t, pTexObject);
    return vg_end(ctx, error);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && texObject != 0 && !vg_textures_remove(&ctx->textures, texObject))
        error = cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

/* What the program said of a live object. */
static cudaError_t object_of(vg_context *ctx, cudaTextureObject_t texObject, const void *out,
                             const vg_texture_object **object) {
    const cudaError_t error = vg_ready(ctx);
    if (error != cudaSuccess)
        return error;
    if (!out || !vg_textures_find(&ctx->textures, texObject))
        return cudaErrorInvalidValue;
    *object = &ctx->texture_objects[texObject - 1];
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc,
                                             cudaTextureObject_t texObject) {
    const vg_texture_object *object = NULL;
    vg_context *ctx = vg_begin();
    const cudaError_t error = object_of(ctx, texObject, pResDesc, &object);
    if (error == cudaSuccess)
        *pResDesc = object->resource;
    return vg_end(ctx, error);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc,
                                            cudaTextureObject_t texObject) {
    const vg_texture_object *object = NULL;
    vg_context *ctx = vg_begin();
    const cudaError_t error = object_of(ctx, texObject, pTexDesc, &object);
    if (error == cudaSuccess)
        *pTexDesc = object->texture;
    return vg_end(ctx, error);
}
