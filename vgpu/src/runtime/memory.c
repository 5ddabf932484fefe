/*
 * memory.c: allocating and freeing: device, pinned, managed and registered memory.
 */
#include "vgpu/src/runtime/memory.h"

#include "vgpu/src/runtime/graph.h"
#include "vgpu/src/runtime/journal.h"
#include "vgpu/src/runtime/late.h"
#include "vgpu/src/runtime/pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PITCH = 512 }; /* rows of pitched memory start at multiples of this */

/* ---- what the machine underneath can give ---- */

/* First number in a file, or UINT64_MAX. */
static uint64_t number_in(const char *path, const char *key) {
    uint64_t value = UINT64_MAX;
    char line[256];
    FILE *f = fopen(path, "re");
    if (!f)
        return value;
    size_t skip = key ? strlen(key) : 0;
    while (fgets(line, sizeof line, f)) {
        if (key && strncmp(line, key, skip) != 0)
            continue;
        if (sscanf(line + skip, "%" SCNu64, &value) != 1)
            value = UINT64_MAX;
        break;
    }
    fclose(f);
    return value;
}

/* Bytes of host memory that can still be had: what the system says, or a container's limit. */
static uint64_t host_memory_left(void) {
    uint64_t kib = number_in("/proc/meminfo", "MemAvailable:");
    uint64_t left = kib == UINT64_MAX ? UINT64_MAX : kib * 1024;
    uint64_t limit = number_in("/sys/fs/cgroup/memory.max", NULL);
    uint64_t used = number_in("/sys/fs/cgroup/memory.current", NULL);
    if (limit != UINT64_MAX && used != UINT64_MAX && limit - used < left)
        left = limit > used ? limit - used : 0;
    return left;
}

/* Device memory is host memory here: an allocation that this machine cannot hold must fail now, not
 * kill the process later. Small ones aren't worth the question. */
static bool host_can_hold(vg_context *ctx, const char *call, uint64_t size) {
    if (size < UINT64_C(64) << 20)
        return true;
    uint64_t left = host_memory_left();
    if (size <= left)
        return true;
    vg_tell(ctx, VG_NOTE(HOST_TOO_SMALL, .call = call, .is.size = size, .is.limit = left,
                         .is.number = {(int64_t)(size >> 20), (int64_t)(left >> 20)}));
    return false;
}

/* ---- allocating ---- */

cudaError_t vg_allocate(vg_context *ctx, vg_maker by, enum vg_mem_kind kind, void **ptr,
                        size_t size) {
    if (!ptr) {
        vg_tell(ctx,
                VG_NOTE(NO_PLACE_FOR_POINTER, .call = by.call, .is.status = cudaErrorInvalidValue));
        return cudaErrorInvalidValue;
    }
    *ptr = NULL;
    const cudaError_t captured = vg_capture_allows_all(ctx, by.call);
    if (captured != cudaSuccess)
        return captured;
    if (vg_fails(ctx, VGPU_CALL_ALLOC, by.call))
        return cudaErrorMemoryAllocation;
    if (size == 0) /* no memory, no error: as on hardware */
        return cudaSuccess;
    uint64_t left = vg_mem_capacity(ctx->mem) - vg_mem_used(ctx->mem);
    if (kind == VG_MEM_DEVICE && size > left) {
        vg_tell(ctx, VG_NOTE(OUT_OF_DEVICE_MEMORY, .call = by.call, .is.size = size,
                             .is.limit = left, .name = ctx->settings.profile->name));
        return cudaErrorMemoryAllocation;
    }
    if (!host_can_hold(ctx, by.call, size))
        return cudaErrorMemoryAllocation;
    uint64_t addr = vg_mem_alloc(ctx->mem, size, 256, kind, NULL);
    if (addr == 0)
        return cudaErrorMemoryAllocation;
    vg_mem_called_from(ctx->mem, addr, by.caller);
    vg_check_allocated(ctx->check, addr, by);
    vg_journal_allocated(ctx, addr);
    *ptr = (void *)(uintptr_t)addr;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **devPtr, size_t size) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = vg_allocate(ctx, (vg_maker){"cudaMalloc", "cudaFree", RETURNS_TO}, VG_MEM_DEVICE,
                            devPtr, size);
    return vg_end(ctx, error);
}

/* width bytes rounded up to a pitch; 0 when that overflows. */
static size_t pitch_of(size_t width) {
    return width > SIZE_MAX - PITCH ? 0 : (width + PITCH - 1) / PITCH * PITCH;
}

static cudaError_t allocate_pitched(vg_context *ctx, const char *call, const void *caller,
                                    void **ptr, size_t *pitch, size_t width, size_t rows) {
    size_t bytes = 0;
    if (!ptr || !pitch)
        return cudaErrorInvalidValue;
    *pitch = rows == 0 ? 0 : pitch_of(width);
    if (__builtin_mul_overflow(*pitch, rows, &bytes) || (*pitch == 0 && width != 0 && rows != 0))
        return cudaErrorMemoryAllocation;
    return vg_allocate(ctx, (vg_maker){call, "cudaFree", caller}, VG_MEM_DEVICE, ptr, bytes);
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = allocate_pitched(ctx, "cudaMallocPitch", RETURNS_TO, devPtr, pitch, width, height);
    return vg_end(ctx, error);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    size_t rows = 0;
    if (error == cudaSuccess && !pitchedDevPtr)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && __builtin_mul_overflow(extent.height, extent.depth, &rows))
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = allocate_pitched(ctx, "cudaMalloc3D", RETURNS_TO, &pitchedDevPtr->ptr,
                                 &pitchedDevPtr->pitch, extent.width, rows);
    if (error == cudaSuccess) {
        pitchedDevPtr->xsize = extent.width;
        pitchedDevPtr->ysize = extent.height;
    }
    return vg_end(ctx, error);
}

cudaError_t cudaMallocHost(void **ptr, size_t size) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = vg_allocate(ctx, (vg_maker){"cudaMallocHost", "cudaFreeHost", RETURNS_TO},
                            VG_MEM_PINNED, ptr, size);
    return vg_end(ctx, error);
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags) {
    const unsigned int known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (flags & ~known) != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = vg_allocate(ctx, (vg_maker){"cudaHostAlloc", "cudaFreeHost", RETURNS_TO},
                            VG_MEM_PINNED, pHost, size);
    return vg_end(ctx, error);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = vg_allocate(ctx, (vg_maker){"cudaMallocManaged", "cudaFree", RETURNS_TO},
                            VG_MEM_MANAGED, devPtr, size);
    return vg_end(ctx, error);
}

/* ---- freeing ---- */

/* The call that frees memory of each kind. */
static const char *freed_by(enum vg_mem_kind kind) {
    return kind == VG_MEM_PINNED ? "cudaFreeHost" : "cudaFree";
}

static void say_bad_free(vg_context *ctx, const char *call, const void *ptr,
                         enum vg_free_status why) {
    uint64_t addr = (uint64_t)(uintptr_t)ptr;
    const vg_alloc *a = vg_mem_find(ctx->mem, addr);
    vg_note *note = VG_NOTE(FREED_UNKNOWN, .call = call, .is.address = addr);
    vg_mem_locate(ctx->mem, addr, &note->is);
    if (why == VG_FREE_TWICE)
        note->is.says = VGPU_FREED_TWICE;
    else if (why == VG_FREE_KIND && a && a->kind == VG_MEM_MODULE)
        note->is.says = VGPU_FREED_VARIABLE;
    else if (why == VG_FREE_KIND && a && a->adopted)
        note->is.says = VGPU_FREED_REGISTERED;
    else if (why == VG_FREE_INSIDE)
        note->is.says = VGPU_FREED_INSIDE;
    else if (why == VG_FREE_KIND && a) {
        note->is.says = VGPU_FREED_BY_OTHER;
        note->other = freed_by(a->kind);
    }
    vg_blame(ctx, note);
}

cudaError_t vg_release(vg_context *ctx, const char *call, const void *caller, void *ptr,
                       enum vg_mem_kind kind) {
    uint64_t addr = (uint64_t)(uintptr_t)ptr;
    if (!ptr)
        return cudaSuccess;
    const cudaError_t captured = vg_capture_allows_all(ctx, call);
    if (captured != cudaSuccess)
        return captured;
    const vg_alloc *a = vg_mem_find(ctx->mem, addr);
    enum vg_free_status status = VG_FREE_KIND;
    if (a && kind == VG_MEM_DEVICE && a->kind == VG_MEM_MANAGED)
        kind = VG_MEM_MANAGED; /* cudaFree frees both */
    if (!(a && a->adopted && a->addr == addr))
        status = vg_mem_free(ctx->mem, addr, kind);
    if (status == VG_FREE_OK) {
        vg_mem_called_from(ctx->mem, addr, caller);
        vg_journal_freed(ctx, addr, kind);
        vg_pool_freed(ctx, addr);
        return cudaSuccess;
    }
    say_bad_free(ctx, call, ptr, status);
    return cudaErrorInvalidValue;
}

cudaError_t cudaFree(void *devPtr) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    vg_all_done(ctx); /* cudaFree waits for the device */
    if (error == cudaSuccess)
        error = vg_release(ctx, "cudaFree", RETURNS_TO, devPtr, VG_MEM_DEVICE);
    return vg_end(ctx, error);
}

cudaError_t cudaFreeHost(void *ptr) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    vg_late_all_done(ctx); /* it waits, too */
    if (error == cudaSuccess)
        error = vg_release(ctx, "cudaFreeHost", RETURNS_TO, ptr, VG_MEM_PINNED);
    return vg_end(ctx, error);
}

/* ---- host memory of the program's own ---- */

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags) {
    const unsigned int known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                               cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (!ptr || size == 0 || (flags & ~known) != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !vg_mem_adopt(ctx->mem, ptr, size))
        error = cudaErrorHostMemoryAlreadyRegistered;
    if (error == cudaSuccess)
        vg_journal_allocated(ctx, (uint64_t)(uintptr_t)ptr);
    return vg_end(ctx, error);
}

cudaError_t cudaHostUnregister(void *ptr) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess) {
        uint64_t addr = (uint64_t)(uintptr_t)ptr;
        vg_late_forget(ctx, ptr);
        const vg_alloc *a = vg_mem_find(ctx->mem, addr);
        if (!ptr || (a && a->addr != addr))
            error = cudaErrorInvalidValue;
        else if (!a || !a->adopted)
            error = cudaErrorHostMemoryNotRegistered;
        else if (vg_mem_free(ctx->mem, addr, VG_MEM_PINNED) == VG_FREE_OK)
            vg_journal_freed(ctx, addr, VG_MEM_PINNED);
    }
    return vg_end(ctx, error);
}

/* The live pinned allocation that holds ptr, or NULL. */
static const vg_alloc *pinned_at(const vg_context *ctx, const void *ptr) {
    const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)ptr);
    return a && a->kind == VG_MEM_PINNED ? a : NULL;
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess) {
        if (!pDevice || flags != 0 || !pinned_at(ctx, pHost))
            error = cudaErrorInvalidValue;
        else
            *pDevice = pHost; /* one address on both sides */
    }
    return vg_end(ctx, error);
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess) {
        const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)pHost);
        if (!pFlags || !a || (a->kind != VG_MEM_PINNED && a->kind != VG_MEM_MANAGED))
            error = cudaErrorInvalidValue;
        else
            *pFlags = cudaHostAllocMapped;
    }
    return vg_end(ctx, error);
}

/* ---- managed memory: it is where it is, on both sides ---- */

/* The advice and the prefetch change nothing but must be about managed (or registered) memory. */
static cudaError_t check_managed(const char *call, const void *ptr, size_t count, int device) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && device != 0 && device != cudaCpuDeviceId)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess) {
        const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)ptr);
        if (count == 0 || !a || a->kind != VG_MEM_MANAGED ||
            !vg_device_bytes(ctx, call, VGPU_RANGE, ptr, count))
            error = cudaErrorInvalidValue;
    }
    return vg_end(ctx, error);
}

cudaError_t vgpuMemPrefetch(const void *devPtr, size_t count, int device, cudaStream_t stream);
cudaError_t vgpuMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          int device);

cudaError_t vgpuMemPrefetch(const void *devPtr, size_t count, int device, cudaStream_t stream) {
    vg_context *ctx = vg_begin();
    bool valid = vg_stream_valid(ctx, stream);
    vg_end_quietly(ctx);
    if (!valid)
        return vg_remember(cudaErrorInvalidResourceHandle);
    return check_managed("cudaMemPrefetchAsync", devPtr, count, device);
}

cudaError_t vgpuMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          int device) {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return vg_remember(cudaErrorInvalidValue);
    return check_managed("cudaMemAdvise", devPtr, count, device);
}

static int device_of(struct cudaMemLocation location) {
    return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
    (void)flags;
    return vgpuMemPrefetch(devPtr, count, device_of(location), stream);
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
    return vgpuMemAdvise(devPtr, count, advice, device_of(location));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length,
                                     unsigned int flags) {
    (void)flags;
    (void)stream;
    return check_managed("cudaStreamAttachMemAsync", devPtr, length ? length : 1, 0);
}

/* ---- asking ---- */

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess) {
        if (!free || !total) {
            error = cudaErrorInvalidValue;
        } else {
            *total = ctx->settings.profile->memory_bytes;
            *free = vg_mem_capacity(ctx->mem) - vg_mem_used(ctx->mem);
        }
    }
    return vg_end(ctx, error);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr) {
    static const enum cudaMemoryType type_of[] = {
        [VG_MEM_DEVICE] = cudaMemoryTypeDevice,
        [VG_MEM_MODULE] = cudaMemoryTypeDevice,
        [VG_MEM_PINNED] = cudaMemoryTypeHost,
        [VG_MEM_MANAGED] = cudaMemoryTypeManaged,
    };
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && !attributes)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)ptr);
        attributes->type = !a                                       ? cudaMemoryTypeUnregistered
                           : a->kind == VG_MEM_MODULE && a->adopted ? cudaMemoryTypeManaged
                                                                    : type_of[a->kind];
        attributes->device = a ? 0 : cudaInvalidDeviceId;
        attributes->devicePointer = a ? (void *)(uintptr_t)ptr : NULL;
        bool seen_by_host = !a || attributes->type != cudaMemoryTypeDevice;
        attributes->hostPointer = seen_by_host ? (void *)(uintptr_t)ptr : NULL;
    }
    return vg_end(ctx, error);
}
