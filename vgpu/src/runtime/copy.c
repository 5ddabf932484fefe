/*
 * copy.c: cudaMemcpy, cudaMemset and their relatives, between host, device and symbols.
 *
 * Every copy is, in the end, rows of bytes from one side to the other: a side is checked as a whole
 * (is all of it alive?) and turned into a host address. Copies are complete on return, on any
 * stream.
 */
#include "vgpu/src/runtime/copy.h"

#include "vgpu/src/core/names.h"
#include "vgpu/src/memory/host_region.h"
#include "vgpu/src/runtime/graph.h"
#include "vgpu/src/runtime/held.h"
#include "vgpu/src/runtime/journal.h"
#include "vgpu/src/runtime/late.h"
#include "vgpu/src/runtime/malloced.h"
#include "vgpu/src/runtime/place.h"
#include "vgpu/src/runtime/shadow.h"

#include <inttypes.h>
#include <string.h>

/* Bytes from the first to the last byte of a side; UINT64_MAX if that overflows. */
static uint64_t span(const side *s, const extent *e) {
    uint64_t rows = 0;
    uint64_t slices = 0;
    uint64_t bytes = 0;
    if (__builtin_mul_overflow(s->pitch, e->height - 1, &rows) ||
        __builtin_mul_overflow(s->slice, e->depth - 1, &slices) ||
        __builtin_add_overflow(rows, slices, &bytes) ||
        __builtin_add_overflow(bytes, e->width, &bytes))
        return UINT64_MAX;
    return bytes;
}

/* Where a pointer leads: memory that kernels may use, alive or dead, or the program's own. */
static bool is_device_accessible(const vg_context *ctx, const void *ptr) {
    uint64_t addr = (uint64_t)(uintptr_t)ptr;
    return vg_mem_is_device_address(ctx->mem, addr) || vg_mem_find(ctx->mem, addr);
}

/* Host address of one side, which must be device memory if `on_device`. NULL when it isn't what it
 * should be; that has been said. As on hardware, the side that a kind calls the host's may be
 * device memory, too: it is copied, but the kind is probably not what was meant, so it is said. */
static uint8_t *resolve(vg_context *ctx, const char *call, enum cudaMemcpyKind kind, const side *s,
                        const extent *e, bool on_device) {
    if (!s->ptr) {
        vg_blame(ctx, VG_NOTE(COPY_NULL, .call = call, .is.end = s->end));
        return NULL;
    }
    bool device = is_device_accessible(ctx, s->ptr);
    vg_variable *shadow = device ? NULL : vg_ptrmap_get(&ctx->variables, s->ptr);
    if (shadow && !shadow->managed) {
        char name[256];
        vg_pretty_variable(shadow->name, name, sizeof name);
        vg_blame(ctx, VG_NOTE(COPY_SHADOW, .call = call, .is.end = s->end, .name = name,
                              .is.address = (uint64_t)(uintptr_t)s->ptr,
                              .other = s->end == VGPU_SOURCE ? "From" : "To"));
        if (on_device)
            return NULL;
        vg_shadow_open(s->ptr, shadow);
    }
    vg_note *note = VG_NOTE(COPY_FROM_HOST, .call = call, .is.end = s->end, .is.direction = kind,
                            .is.address = (uint64_t)(uintptr_t)s->ptr);
    if (on_device && !device) {
        note->is.host = vg_host_region(note->is.address);
        vg_blame(ctx, note);
        return NULL;
    }
    bool host_meant = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost;
    if (!on_device && host_meant && vg_mem_is_device_address(ctx->mem, note->is.address)) {
        note->is.says = VGPU_COPY_FROM_DEVICE;
        vg_blame(ctx, note);
    }
    const size_t room = device || shadow ? SIZE_MAX : vg_place_room(s->ptr);
    if (span(s, e) > room) {
        vg_blame(ctx,
                 VG_NOTE(COPY_PAST_FRAME, .call = call, .is.end = s->end,
                         .is.address = note->is.address, .is.size = span(s, e), .is.limit = room));
        return NULL;
    }
    const size_t malloced = device || shadow ? SIZE_MAX : vg_malloced_room(s->ptr);
    if (span(s, e) > malloced) {
        vg_blame(ctx, VG_NOTE(COPY_PAST_MALLOC, .call = call, .is.end = s->end,
                              .is.address = note->is.address, .is.size = span(s, e),
                              .is.limit = malloced));
        return NULL;
    }
    /* Pinned and managed memory is checked by its bounds, like device memory. */
    if (device)
        return vg_device_bytes(ctx, call, s->end, s->ptr, span(s, e));
    return (uint8_t *)(uintptr_t)s->ptr;
}

static void move(uint8_t *dst, const side *to, const uint8_t *src, const side *from,
                 const extent *e) {
    bool solid =
        e->depth == 1 && (e->height == 1 || (to->pitch == e->width && from->pitch == e->width));
    if (solid) {
        memmove(dst, src, e->width * e->height);
        return;
    }
    for (size_t z = 0; z < e->depth; z++)
        for (size_t y = 0; y < e->height; y++)
            memmove(dst + z * to->slice + y * to->pitch, src + z * from->slice + y * from->pitch,
                    e->width);
}

/* The bytes of a side have values now: the other's, or a memset's (NULL). */
static void tell_written(vg_context *ctx, const side *to, const side *from, const extent *e) {
    const uint64_t addr = (uint64_t)(uintptr_t)to->ptr,
                   source = from ? (uint64_t)(uintptr_t)from->ptr : 0;
    const bool solid =
        e->depth == 1 &&
        (e->height == 1 || (to->pitch == e->width && (!from || from->pitch == e->width)));
    const size_t width = solid ? e->width * e->height : e->width, height = solid ? 1 : e->height;
    for (size_t z = 0; z < e->depth; z++)
        for (size_t y = 0; y < height; y++) {
            const uint64_t at = addr + z * to->slice + y * to->pitch;
            if (from)
                vg_check_copied(ctx->check, at, source + z * from->slice + y * from->pitch, width);
            else
                vg_check_wrote(ctx->check, at, width);
        }
}

/* The host gets these bytes of device memory: were they ever written? */
static void check_read(vg_context *ctx, const char *call, const side *from, const extent *e) {
    const uint64_t addr = (uint64_t)(uintptr_t)from->ptr;
    vg_unwritten found;
    for (size_t z = 0; z < e->depth; z++) {
        const vg_read read = {.addr = addr + z * from->slice,
                              .width = e->width,
                              .rows = e->height,
                              .pitch = from->pitch,
                              .element = e->width % 4 == 0 ? 4 : 1};
        const vg_alloc *a = vg_mem_find(ctx->mem, addr);
        if (a == NULL || !vg_check_unwritten(ctx->check, &read, &found))
            continue;
        char words[1024];
        vg_note *note =
            VG_NOTE(COPY_UNWRITTEN, .call = call, .kernel = ctx->last_kernel,
                    .is.address = found.first, .is.count = found.count,
                    .is.limit = e->width / read.element * e->height, .is.size = e->width);
        vg_mem_name(a, &note->is);
        note->is.excess = read.element;
        note->is.number[0] = (int64_t)((found.first - a->addr) / read.element);
        memcpy(note->is.block, ctx->stats.last_grid, sizeof note->is.block);
        memcpy(note->is.thread, ctx->stats.last_block, sizeof note->is.thread);
        vg_fact_words(vg_note_close(note), words, sizeof words);
        vg_check_read(ctx->check, &note->is, false, words);
        vg_tell_words(ctx, &note->is, words);
    }
}

/* For the journal: a copy that will be made. */
static void note_copy(vg_context *ctx, const side *to, const side *from, const uint8_t *bytes,
                      const extent *e) {
    if (!ctx->journal)
        return;
    const bool device[2] = {is_device_accessible(ctx, to->ptr),
                            is_device_accessible(ctx, from->ptr)};
    const struct vj_copy copy = {.to = (uint64_t)(uintptr_t)to->ptr,
                                 .from = (uint64_t)(uintptr_t)from->ptr,
                                 .width = e->width,
                                 .height = e->height,
                                 .depth = e->depth,
                                 .to_pitch = to->pitch,
                                 .to_slice = to->slice,
                                 .from_pitch = from->pitch,
                                 .from_slice = from->slice,
                                 .way = device[0]   ? (device[1] ? VJ_WITHIN : VJ_TO_DEVICE)
                                        : device[1] ? VJ_TO_HOST
                                                    : VJ_ON_HOST};
    vg_journal_copy(ctx, copy, bytes);
}

static void bytes_to_host(struct vgpu_stats *stats, uint64_t bytes) {
    stats->to_host_bytes += bytes;
    stats->to_host_after += bytes;
}

/* The debugger's, row by row. */
static void tell_held(const side *to, const side *from, const extent *e) {
    for (size_t z = 0; vg_is_held() && z < e->depth; z++)
        for (size_t y = 0; y < e->height; y++)
            vg_held_copied((const uint8_t *)to->ptr + z * to->slice + y * to->pitch,
                           (uint64_t)(uintptr_t)from->ptr + z * from->slice + y * from->pitch,
                           e->width);
}

/* Tells the checkers which bytes of a side are read or written; of ordinary host memory they know
 * nothing. */
static void tell_touched(vg_context *ctx, const request *r, const side *s, const extent *e,
                         bool writes) {
    vg_check_touch(ctx->check,
                   &(vg_touch){(uint64_t)(uintptr_t)s->ptr, e->width, e->height, e->depth, s->pitch,
                               s->slice, 0, writes, r->call, NULL, r->caller});
}

/* The copy itself; the context is ready. */
static cudaError_t copy(vg_context *ctx, const request *r, const side *to, const side *from,
                        const extent *e, enum cudaMemcpyKind kind) {
    const char *call = r->call;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    /* The side that must be device memory comes first:
     * a copy the wrong way round is one mistake. */
    uint8_t *dst = NULL;
    const uint8_t *src = NULL;
    if (kind == cudaMemcpyDeviceToHost) {
        src = resolve(ctx, call, kind, from, e, from_device);
        dst = src ? resolve(ctx, call, kind, to, e, to_device) : NULL;
    } else {
        dst = resolve(ctx, call, kind, to, e, to_device);
        src = dst ? resolve(ctx, call, kind, from, e, from_device) : NULL;
    }
    if (!dst || !src)
        return cudaErrorInvalidValue;
    if (!ctx->settings.idle && is_device_accessible(ctx, from->ptr) &&
        !is_device_accessible(ctx, to->ptr))
        check_read(ctx, call, from, e);
    note_copy(ctx, to, from, src, e);
    move(dst, to, src, from, e);
    vg_journal_wrote(ctx);
    tell_written(ctx, to, from, e);
    tell_touched(ctx, r, from, e, false);
    tell_touched(ctx, r, to, e, true);
    ctx->stats.copies++;
    if (is_device_accessible(ctx, from->ptr) && !is_device_accessible(ctx, to->ptr))
        bytes_to_host(&ctx->stats, (uint64_t)e->width * e->height * e->depth);
    tell_held(to, from, e);
    ctx->stats.copied_bytes += (uint64_t)e->width * e->height * e->depth;
    return cudaSuccess;
}

/* What a copy means for its stream. The synchronous calls wait for it, on the default stream; so
 * does an asynchronous one that brings bytes to ordinary host memory. */
static void note_stream(vg_context *ctx, request r, const side *to, const side *from,
                        const extent *e) {
    const bool goes_on = r.async && is_device_accessible(ctx, to->ptr);
    vg_stream_busy(ctx, r.stream);
    if (!goes_on)
        vg_stream_done(ctx, r.stream);
    else if (e->height == 1 && e->depth == 1)
        vg_late_reads(ctx, from->ptr, e->width);
    if (goes_on)
        vg_late_copied(ctx, to->ptr, e->width, e->height, e->depth, to->pitch, to->slice);
}

cudaError_t vg_copy_call(request r, const side *to, const side *from, extent e,
                         enum cudaMemcpyKind kind) {
    if (e.width == 0 || e.height == 0 || e.depth == 0)
        return cudaSuccess;
    if ((unsigned)kind > cudaMemcpyDefault)
        return vg_remember(cudaErrorInvalidMemcpyDirection);
    bool flat = e.height == 1 && e.depth == 1;
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && !vg_stream_valid(ctx, r.stream))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && !flat && (to->pitch < e.width || from->pitch < e.width)) {
        const side *bad = to->pitch < e.width ? to : from;
        vg_blame(ctx, VG_NOTE(PITCH, .call = r.call, .is.end = bad->end, .is.size = bad->pitch,
                              .is.limit = e.width));
        error = cudaErrorInvalidPitchValue;
    }
    if (error == cudaSuccess && vg_is_captured(ctx, r.stream))
        return vg_end(ctx, vg_capture_copy(ctx, &r, to, from, &e, kind));
    if (error == cudaSuccess)
        error = vg_capture_allows_work(ctx, r.call, r.stream);
    if (error == cudaSuccess && vg_fails(ctx, VGPU_CALL_COPY, r.call))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        vg_late_before_copy(ctx, r.stream);
        error = copy(ctx, &r, to, from, &e, kind);
        if (error == cudaSuccess)
            note_stream(ctx, r, to, from, &e);
        vg_late_after_copy(ctx);
    }
    return vg_end(ctx, error);
}

/* ---- linear ---- */

static cudaError_t linear(request r, void *dst, const void *src, size_t count,
                          enum cudaMemcpyKind kind) {
    side to = {VGPU_DESTINATION, dst, count, count};
    side from = {VGPU_SOURCE, src, count, count};
    return vg_copy_call(r, &to, &from, (extent){count, 1, 1}, kind);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
    return linear(NOW("cudaMemcpy"), dst, src, count, kind);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return linear(ASYNC("cudaMemcpyAsync", stream), dst, src, count, kind);
}

static cudaError_t between_devices(request r, void *dst, int dstDevice, const void *src,
                                   int srcDevice, size_t count) {
    if (dstDevice != 0 || srcDevice != 0)
        return vg_remember(cudaErrorInvalidDevice);
    return linear(r, dst, src, count, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
                                size_t count, cudaStream_t stream) {
    return between_devices(ASYNC("cudaMemcpyPeerAsync", stream), dst, dstDevice, src, srcDevice,
                           count);
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count) {
    return between_devices(NOW("cudaMemcpyPeer"), dst, dstDevice, src, srcDevice, count);
}

/* ---- 2D ---- */

static cudaError_t planar(request r, void *dst, size_t dpitch, const void *src, size_t spitch,
                          size_t width, size_t height, enum cudaMemcpyKind kind) {
    /* A single row needs no pitch to find the next, yet the API insists on a sound one. On an H200
     * its code is another than that of several rows. */
    if (width != 0 && height == 1 && (dpitch < width || spitch < width))
        return vg_remember(cudaErrorInvalidValue);
    side to = {VGPU_DESTINATION, dst, dpitch, 0};
    side from = {VGPU_SOURCE, src, spitch, 0};
    return vg_copy_call(r, &to, &from, (extent){width, height, 1}, kind);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
    return planar(NOW("cudaMemcpy2D"), dst, dpitch, src, spitch, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    return planar(ASYNC("cudaMemcpy2DAsync", stream), dst, dpitch, src, spitch, width, height,
                  kind);
}

/* ---- symbols ---- */

/* Address of [offset, offset + count) of a symbol, as a device pointer. */
static cudaError_t symbol_range(vg_context *ctx, const char *call, const void *symbol,
                                size_t offset, size_t count, void **ptr) {
    uint64_t addr = 0;
    uint64_t size = 0;
    cudaError_t error = vg_symbol_of(ctx, call, symbol, &addr, &size);
    if (error != cudaSuccess)
        return error;
    *ptr = (void *)(uintptr_t)(addr + offset);
    if (offset <= size && count <= size - offset)
        return cudaSuccess;
    const vg_alloc *a = vg_mem_find(ctx->mem, addr);
    vg_blame(ctx, VG_NOTE(SYMBOL_RANGE, .call = call, .name = a && a->name ? a->name : "?",
                          .is.size = count, .is.distance = offset, .is.room = size));
    return cudaErrorInvalidValue;
}

static cudaError_t symbol_copy(request r, const void *symbol, void *dst, const void *src,
                               size_t count, size_t offset, enum cudaMemcpyKind kind) {
    bool to_symbol = !dst;
    enum cudaMemcpyKind host_kind = to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (kind != host_kind && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return vg_remember(cudaErrorInvalidMemcpyDirection);
    void *at = NULL;
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = symbol_range(ctx, r.call, symbol, offset, count, &at);
    vg_end(ctx, error);
    if (error != cudaSuccess)
        return error;
    return to_symbol ? linear(r, at, src, count, kind) : linear(r, dst, at, count, kind);
}

/* The other side, which must not be NULL: NULL tells symbol_copy which side the symbol is on. */
#define CHECK_OTHER(ptr)                                                                           \
    do {                                                                                           \
        if (!(ptr))                                                                                \
            return vg_remember(cudaErrorInvalidValue);                                             \
    } while (0)

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind) {
    CHECK_OTHER(src);
    return symbol_copy(NOW("cudaMemcpyToSymbol"), symbol, NULL, src, count, offset, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
    CHECK_OTHER(src);
    return symbol_copy(ASYNC("cudaMemcpyToSymbolAsync", stream), symbol, NULL, src, count, offset,
                       kind);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind) {
    CHECK_OTHER(dst);
    return symbol_copy(NOW("cudaMemcpyFromSymbol"), symbol, dst, NULL, count, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
    CHECK_OTHER(dst);
    return symbol_copy(ASYNC("cudaMemcpyFromSymbolAsync", stream), symbol, dst, NULL, count, offset,
                       kind);
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol) {
    uint64_t addr = 0;
    uint64_t size = 0;
    vg_context *ctx = vg_begin();
    cudaError_t error = devPtr ? vg_ready(ctx) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = vg_symbol_of(ctx, "cudaGetSymbolAddress", symbol, &addr, &size);
    if (error == cudaSuccess)
        *devPtr = (void *)(uintptr_t)addr;
    return vg_end(ctx, error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
    uint64_t addr = 0;
    uint64_t bytes = 0;
    vg_context *ctx = vg_begin();
    cudaError_t error = size ? vg_ready(ctx) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = vg_symbol_of(ctx, "cudaGetSymbolSize", symbol, &addr, &bytes);
    if (error == cudaSuccess)
        *size = bytes;
    return vg_end(ctx, error);
}

/* ---- memset ---- */

static cudaError_t set(request r, void *ptr, size_t pitch, size_t slice, int value, extent e) {
    const char *call = r.call;
    const cudaStream_t stream = r.stream;
    if (e.width == 0 || e.height == 0 || e.depth == 0)
        return cudaSuccess;
    side to = {VGPU_DESTINATION, ptr, pitch, slice};
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && !vg_stream_valid(ctx, stream))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && (e.height > 1 || e.depth > 1) && pitch < e.width) {
        vg_blame(ctx, VG_NOTE(PITCH, .call = call, .is.size = pitch, .is.limit = e.width));
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess && vg_is_captured(ctx, stream))
        return vg_end(ctx, vg_capture_set(ctx, stream, &to, &e, value));
    if (error == cudaSuccess)
        error = vg_capture_allows_work(ctx, call, stream);
    if (error == cudaSuccess && vg_fails(ctx, VGPU_CALL_COPY, call))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        uint8_t *at = vg_device_bytes(ctx, call, VGPU_DESTINATION, ptr, span(&to, &e));
        vg_late_before_copy(ctx, stream);
        if (!at)
            error = cudaErrorInvalidValue;
        const struct vj_set done = {
            (uint64_t)(uintptr_t)ptr, e.width, e.height, e.depth, pitch, slice, value, 0};
        if (at)
            vg_journal_set(ctx, &done);
        for (size_t z = 0; at && z < e.depth; z++)
            for (size_t y = 0; y < e.height; y++)
                memset(at + z * slice + y * pitch, value, e.width);
        if (at) {
            vg_journal_wrote(ctx);
            tell_written(ctx, &to, NULL, &e);
            if (e.height == 1 && e.depth == 1)
                vg_check_set(ctx->check, (uint64_t)(uintptr_t)ptr, e.width, (uint8_t)value);
            tell_touched(ctx, &r, &to, &e, true);
            vg_stream_busy(ctx, stream);
            vg_late_copied(ctx, ptr, e.width, e.height, e.depth, pitch, slice);
        }
        vg_late_after_copy(ctx);
    }
    return vg_end(ctx, error);
}

cudaError_t vg_set_call(const side *to, extent e, int value, cudaStream_t stream) {
    return set((request){"a graph's cudaMemsetAsync", true, stream, NULL},
               (void *)(uintptr_t)to->ptr, to->pitch, to->slice, value, e);
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count) {
    return set(NOW("cudaMemset"), devPtr, count, count, value, (extent){count, 1, 1});
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream) {
    return set(ASYNC("cudaMemsetAsync", stream), devPtr, count, count, value,
               (extent){count, 1, 1});
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height) {
    return set(NOW("cudaMemset2D"), devPtr, pitch, 0, value, (extent){width, height, 1});
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return set(ASYNC("cudaMemset2DAsync", stream), devPtr, pitch, 0, value,
               (extent){width, height, 1});
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent3) {
    extent e = {extent3.width, extent3.height, extent3.depth};
    return set(NOW("cudaMemset3D"), p.ptr, p.pitch, p.pitch * p.ysize, value, e);
}
