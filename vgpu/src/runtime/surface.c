/*
 * surface.c: surface objects. What a kernel must know of the array lies in device memory of its
 * own, at the address that the object is; include/surface_indirect_functions.h reads it.
 */
#include "vgpu/src/check/check.h"
#include "vgpu/src/runtime/array.h"
#include "vgpu/src/runtime/memory.h"

#include <limits.h>
#include <string.h>

/* As kernels know it. */
struct vgpu_surface {
    uint64_t at;
    uint32_t row, rows, slices;
};

static const char create[] = "cudaCreateSurfaceObject";

static cudaError_t describe(vg_context *ctx, const struct cudaResourceDesc *r,
                            struct vgpu_surface *s) {
    if (r->resType != cudaResourceTypeArray)
        return cudaErrorInvalidValue;
    const struct cudaArray *a = vg_array_of(ctx, r->res.array.array);
    if (!a) {
        vg_blame(ctx, VG_NOTE(ARRAY_NONE, .call = create,
                              .is.address = (uint64_t)(uintptr_t)r->res.array.array));
        return cudaErrorInvalidValue;
    }
    if ((a->flags & cudaArraySurfaceLoadStore) == 0) {
        vg_tell(ctx, VG_NOTE(SURFACE_FLAG, .call = create));
        return cudaErrorInvalidValue;
    }
    if ((a->flags & cudaArrayLayered) != 0) {
        vg_tell(ctx, VG_NOTE(UNSUPPORTED, .call = create, .name = "surfaces of layered arrays",
                             .other = ": make an array of three dimensions",
                             .is.status = cudaErrorNotSupported));
        return cudaErrorNotSupported;
    }
    const size_t row = a->extent.width * a->texel;
    if (row > INT_MAX || a->extent.height > INT_MAX || a->extent.depth > INT_MAX)
        return cudaErrorInvalidValue;
    *s = (struct vgpu_surface){a->addr, (uint32_t)row,
                               a->extent.height > 0 ? (uint32_t)a->extent.height : 1,
                               a->extent.depth > 0 ? (uint32_t)a->extent.depth : 1};
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject,
                                    const struct cudaResourceDesc *pResDesc) {
    struct vgpu_surface s;
    void *object = NULL;
    const void *caller = RETURNS_TO;
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (!pSurfObject || !pResDesc))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && ctx->journal) {
        vg_tell(ctx,
                VG_NOTE(UNSUPPORTED, .call = create, .name = "surfaces in graded work",
                        .other = ": write to memory itself", .is.status = cudaErrorNotSupported));
        error = cudaErrorNotSupported;
    }
    if (error == cudaSuccess)
        error = describe(ctx, pResDesc, &s);
    if (error == cudaSuccess)
        error = vg_allocate(ctx, (vg_maker){create, "cudaDestroySurfaceObject", caller},
                            VG_MEM_DEVICE, &object, sizeof s);
    if (error == cudaSuccess) {
        memcpy(vg_device_bytes(ctx, create, VGPU_RANGE, object, sizeof s), &s, sizeof s);
        vg_check_wrote(ctx->check, (uint64_t)(uintptr_t)object, sizeof s);
        *pSurfObject = (cudaSurfaceObject_t)(uintptr_t)object;
    }
    return vg_end(ctx, error);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject) {
    const void *caller = RETURNS_TO;
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && surfObject != 0)
        error = vg_release(ctx, "cudaDestroySurfaceObject", caller, (void *)(uintptr_t)surfObject,
                           VG_MEM_DEVICE);
    return vg_end(ctx, error);
}
