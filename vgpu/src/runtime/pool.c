/* pool.c: memory pools and allocations in the order of a stream; see pool.h. */
#include "vgpu/src/runtime/pool.h"

#include "vgpu/src/runtime/graph.h"
#include "vgpu/src/runtime/late.h"
#include "vgpu/src/runtime/memory.h"
#include "vgpu/src/runtime/order.h"

#include <stdlib.h>

#define RESERVE   (UINT64_C(32) << 20)
#define REUSE_END cudaMemPoolReuseAllowInternalDependencies

struct CUmemPoolHandle_st {
    bool destroyed; /* by the program, while memory of it lives on */
    int reuse[REUSE_END + 1];
    uint64_t threshold, most; /* most: maxSize in whole pieces, or 0 */
    uint64_t used, used_high, reserved, reserved_high;
};
typedef struct CUmemPoolHandle_st pool;

/* What a pool gave. */
typedef struct piece {
    pool *of;
    uint64_t bytes;
} piece;

struct vg_pools {
    vg_ptrmap live;   /* handles -> pools; destroyed ones are gone */
    vg_ptrmap pieces; /* addresses -> pieces */
    pool *standard, *current;
};

/* ---- pools ---- */

static uint64_t rounded(uint64_t bytes, uint64_t to) {
    return (bytes + to - 1) / to * to;
}

static pool *new_pool(struct vg_pools *all) {
    pool *p = calloc(1, sizeof *p);
    if (p == NULL || !vg_ptrmap_put(&all->live, p, p)) {
        free(p);
        return NULL;
    }
    for (int i = cudaMemPoolReuseFollowEventDependencies; i <= REUSE_END; i++)
        p->reuse[i] = 1;
    return p;
}

static struct vg_pools *pools_of(vg_context *ctx) {
    if (ctx->pools == NULL) {
        struct vg_pools *all = calloc(1, sizeof *all);
        if (all == NULL || (all->standard = new_pool(all)) == NULL) {
            free(all);
            return NULL;
        }
        all->current = all->standard;
        ctx->pools = all;
    }
    return ctx->pools;
}

/* The pool behind a handle; NULL, which is said: none. */
static pool *pool_of(vg_context *ctx, const char *call, cudaMemPool_t handle) {
    const struct vg_pools *all = pools_of(ctx);
    pool *p = all != NULL && handle != NULL ? vg_ptrmap_get(&all->live, handle) : NULL;
    if (p == NULL)
        vg_blame(ctx, VG_NOTE(POOL_NONE, .call = call, .is.address = (uint64_t)(uintptr_t)handle));
    return p;
}

/* Whole pieces; keep is a number of these. */
static void give_back(pool *p, uint64_t keep) {
    const uint64_t used = rounded(p->used, RESERVE), least = used > keep ? used : keep;
    if (p->reserved > least)
        p->reserved = least;
}

static void settle(const void *key, void *value, void *arg) {
    pool *p = value;
    (void)key, (void)arg;
    give_back(p, p->threshold / RESERVE * RESERVE);
}

void vg_pools_settle(const vg_context *ctx) {
    if (ctx->pools != NULL)
        vg_ptrmap_each(&ctx->pools->live, settle, NULL);
}

static void drop(const void *key, void *value, void *arg) {
    (void)key, (void)arg;
    free(value);
}

/* A pool that was destroyed goes with the last of its memory. */
static void take_from(pool *p, uint64_t bytes) {
    p->used -= bytes;
    if (p->destroyed && p->used == 0)
        free(p);
}

void vg_pool_freed(vg_context *ctx, uint64_t addr) {
    piece *was = ctx->pools != NULL
                     ? vg_ptrmap_take(&ctx->pools->pieces, (const void *)(uintptr_t)addr)
                     : NULL;
    if (was == NULL)
        return;
    take_from(was->of, was->bytes);
    free(was);
}

static void drop_piece(const void *key, void *value, void *arg) {
    piece *was = value;
    (void)key, (void)arg;
    take_from(was->of, was->bytes);
    free(was);
}

void vg_pools_clear(vg_context *ctx) {
    struct vg_pools *all = ctx->pools;
    if (all == NULL)
        return;
    vg_ptrmap_each(&all->pieces, drop_piece, NULL);
    vg_ptrmap_clear(&all->pieces);
    vg_ptrmap_each(&all->live, drop, NULL);
    vg_ptrmap_clear(&all->live);
    free(all);
    ctx->pools = NULL;
}

/* ---- allocating ---- */

/* Memory comes or goes in the order of a stream, before or after which nobody may touch it. */
static void on_stream(vg_context *ctx, cudaStream_t stream, vg_maker by, const void *ptr,
                      const char *action) {
    const vg_alloc *a = ptr ? vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)ptr) : NULL;
    vg_order_begin(ctx, stream);
    if (a)
        vg_check_touch(ctx->check, &(vg_touch){a->addr, a->size, 1, 1, a->size, a->size, 0, true,
                                               by.call, action, by.caller});
}

/* Whether the call may do its work on this stream. */
static cudaError_t check_stream(vg_context *ctx, const char *call, cudaStream_t stream) {
    if (!vg_stream_valid(ctx, stream))
        return cudaErrorInvalidResourceHandle;
    if (!vg_is_captured(ctx, stream))
        return cudaSuccess;
    vg_capture_refuses(ctx, call, stream, "graphs have no memory of their own here");
    return cudaErrorStreamCaptureUnsupported;
}

static cudaError_t allocate(vg_context *ctx, pool *p, vg_maker by, void **ptr, size_t size,
                            cudaStream_t stream) {
    if (ptr && p->most != 0 && size > p->most - p->used) {
        *ptr = NULL;
        vg_tell(ctx, VG_NOTE(POOL_FULL, .call = by.call, .is.size = size,
                             .is.limit = p->most - p->used, .is.room = p->most));
        return cudaErrorMemoryAllocation;
    }
    cudaError_t error = vg_allocate(ctx, by, VG_MEM_DEVICE, ptr, size);
    if (error != cudaSuccess || ptr == NULL || *ptr == NULL)
        return error;
    piece *given = malloc(sizeof *given);
    if (given == NULL || !vg_ptrmap_put(&ctx->pools->pieces, *ptr, given)) {
        free(given);
        return cudaSuccess; /* it is only left out of the numbers */
    }
    *given = (piece){p, size};
    p->used += size;
    if (p->used > p->used_high)
        p->used_high = p->used;
    if (p->used > p->reserved)
        p->reserved = rounded(p->used, RESERVE);
    if (p->reserved > p->reserved_high)
        p->reserved_high = p->reserved;
    on_stream(ctx, stream, by, *ptr, "allocated");
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t stream) {
    const vg_maker by = {"cudaMallocAsync", "cudaFreeAsync", RETURNS_TO};
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = check_stream(ctx, by.call, stream);
    if (error == cudaSuccess && pools_of(ctx) == NULL)
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = allocate(ctx, ctx->pools->current, by, devPtr, size, stream);
    return vg_end(ctx, error);
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                                    cudaStream_t stream) {
    const vg_maker by = {"cudaMallocFromPoolAsync", "cudaFreeAsync", RETURNS_TO};
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = check_stream(ctx, by.call, stream);
    pool *p = error == cudaSuccess ? pool_of(ctx, by.call, memPool) : NULL;
    if (error == cudaSuccess && p == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = allocate(ctx, p, by, ptr, size, stream);
    return vg_end(ctx, error);
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t stream) {
    const vg_maker by = {"cudaFreeAsync", NULL, RETURNS_TO};
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = check_stream(ctx, by.call, stream);
    if (error == cudaSuccess) {
        on_stream(ctx, stream, by, devPtr, "freed");
        vg_late_forget(ctx, devPtr);
        error = vg_release(ctx, by.call, by.caller, devPtr, VG_MEM_DEVICE);
    }
    return vg_end(ctx, error);
}

/* ---- the calls on pools ---- */

static bool is_the_device(const struct cudaMemLocation *at) {
    return at->type == cudaMemLocationTypeDevice && at->id == 0;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const struct cudaMemPoolProps *of = poolProps;
    if (error == cudaSuccess && (!memPool || !of || of->allocType != cudaMemAllocationTypePinned ||
                                 !is_the_device(&of->location)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && of->handleTypes != cudaMemHandleTypeNone) {
        vg_tell(ctx, VG_NOTE(UNSUPPORTED, .call = "cudaMemPoolCreate",
                             .name = "pools that other processes share",
                             .other = ": leave handleTypes at cudaMemHandleTypeNone",
                             .is.status = cudaErrorNotSupported));
        error = cudaErrorNotSupported;
    }
    if (error == cudaSuccess) {
        pool *p = pools_of(ctx) != NULL ? new_pool(ctx->pools) : NULL;
        if (p == NULL) {
            error = cudaErrorMemoryAllocation;
        } else {
            p->most = rounded(of->maxSize, RESERVE);
            *memPool = p;
        }
    }
    return vg_end(ctx, error);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    pool *p = error == cudaSuccess ? pool_of(ctx, "cudaMemPoolDestroy", memPool) : NULL;
    if (error == cudaSuccess && (p == NULL || p == ctx->pools->standard))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        vg_ptrmap_take(&ctx->pools->live, p);
        if (ctx->pools->current == p)
            ctx->pools->current = ctx->pools->standard;
        p->destroyed = true;
        if (p->used == 0)
            free(p);
    }
    return vg_end(ctx, error);
}

static cudaError_t get_pool(cudaMemPool_t *memPool, int device, bool standard) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && !memPool)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && device != 0)
        error = cudaErrorInvalidDevice;
    const struct vg_pools *all = error == cudaSuccess ? pools_of(ctx) : NULL;
    if (error == cudaSuccess && !all)
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        *memPool = standard ? all->standard : all->current;
    return vg_end(ctx, error);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device) {
    return get_pool(memPool, device, true);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device) {
    return get_pool(memPool, device, false);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    pool *p =
        error == cudaSuccess && device == 0 ? pool_of(ctx, "cudaDeviceSetMemPool", memPool) : NULL;
    if (error == cudaSuccess && !p)
        error = cudaErrorInvalidValue;
    if (p)
        ctx->pools->current = p;
    return vg_end(ctx, error);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    pool *p = error == cudaSuccess ? pool_of(ctx, "cudaMemPoolTrimTo", memPool) : NULL;
    if (error == cudaSuccess && !p)
        error = cudaErrorInvalidValue;
    if (p && minBytesToKeep < p->reserved)
        give_back(p, rounded(minBytesToKeep, RESERVE));
    return vg_end(ctx, error);
}

/* The place of an attribute; NULL: there is no such. */
static uint64_t *number_of(pool *p, enum cudaMemPoolAttr attr) {
    switch (attr) {
    case cudaMemPoolAttrReleaseThreshold: return &p->threshold;
    case cudaMemPoolAttrReservedMemCurrent: return &p->reserved;
    case cudaMemPoolAttrReservedMemHigh: return &p->reserved_high;
    case cudaMemPoolAttrUsedMemCurrent: return &p->used;
    case cudaMemPoolAttrUsedMemHigh: return &p->used_high;
    default: return NULL;
    }
}

static bool is_reuse(enum cudaMemPoolAttr attr) {
    return attr >= cudaMemPoolReuseFollowEventDependencies && attr <= REUSE_END;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    pool *p = error == cudaSuccess ? pool_of(ctx, "cudaMemPoolGetAttribute", memPool) : NULL;
    const uint64_t *from = p && value ? number_of(p, attr) : NULL;
    if (from)
        *(uint64_t *)value = *from;
    else if (p && value && is_reuse(attr))
        *(int *)value = p->reuse[attr];
    else if (error == cudaSuccess)
        error = cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

/* A high mark can only be put back. */
static cudaError_t set_number(pool *p, enum cudaMemPoolAttr attr, uint64_t value) {
    if (attr == cudaMemPoolAttrReleaseThreshold)
        p->threshold = value;
    else if (attr == cudaMemPoolAttrUsedMemHigh && value == 0)
        p->used_high = p->used;
    else if (attr == cudaMemPoolAttrReservedMemHigh && value == 0)
        p->reserved_high = p->reserved;
    else
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    pool *p = error == cudaSuccess ? pool_of(ctx, "cudaMemPoolSetAttribute", memPool) : NULL;
    if (p && value && is_reuse(attr))
        p->reuse[attr] = *(const int *)value != 0;
    else if (p && value && number_of(p, attr))
        error = set_number(p, attr, *(const uint64_t *)value);
    else if (error == cudaSuccess)
        error = cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

/* ---- who may use it: the one device that there is ---- */

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList,
                                 size_t count) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const pool *p = error == cudaSuccess ? pool_of(ctx, "cudaMemPoolSetAccess", memPool) : NULL;
    if (error == cudaSuccess && (!p || (!descList && count > 0)))
        error = cudaErrorInvalidValue;
    for (size_t i = 0; error == cudaSuccess && i < count; i++)
        if (descList[i].flags == cudaMemAccessFlagsProtRead)
            error = cudaErrorNotSupported;
        else if (!is_the_device(&descList[i].location) ||
                 descList[i].flags != cudaMemAccessFlagsProtReadWrite) /* its own always may */
            error = cudaErrorInvalidDevice;
    return vg_end(ctx, error);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const pool *p = error == cudaSuccess ? pool_of(ctx, "cudaMemPoolGetAccess", memPool) : NULL;
    if (error == cudaSuccess && (!p || !flags || !location || !is_the_device(location)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *flags = cudaMemAccessFlagsProtReadWrite;
    return vg_end(ctx, error);
}
