/*
 * copy_array.c: copies to and from CUDA arrays, and copies of boxes (cudaMemcpy3D).
 *
 * An array's part in a copy is a rectangle or box of its elements: it is checked against the
 * array, and then copied like any other rows of device memory.
 */
#include "vgpu/src/runtime/array.h"
#include "vgpu/src/runtime/copy.h"

/* Where in an array, in bytes and rows, and what the call is. */
typedef struct array_part {
    cudaArray_const_t array;
    size_t x, y, z;
    enum vgpu_end end;
} array_part;

static size_t at_least_one(size_t n) {
    return n > 0 ? n : 1;
}

/* The side that a part of an array is. False: there is no such array, or part; that is said. */
static bool array_side(const char *call, const array_part *p, const extent *e, side *out,
                       cudaError_t *error) {
    vg_context *ctx = vg_begin();
    *error = vg_ready(ctx);
    const struct cudaArray *a = vg_array_of(ctx, p->array);
    if (*error == cudaSuccess && !a) {
        vg_blame(ctx,
                 VG_NOTE(ARRAY_NONE, .call = call, .is.address = (uint64_t)(uintptr_t)p->array));
        *error = cudaErrorInvalidValue;
    }
    if (*error == cudaSuccess) {
        const size_t row = a->extent.width * a->texel, rows = at_least_one(a->extent.height),
                     slices = at_least_one(a->extent.depth);
        const bool inside = p->x <= row && e->width <= row - p->x && p->y <= rows &&
                            e->height <= rows - p->y && p->z <= slices && e->depth <= slices - p->z;
        if (!inside) {
            vg_blame(ctx,
                     VG_NOTE(ARRAY_RANGE, .call = call, .is.end = p->end,
                             .is.number = {(int64_t)e->width, (int64_t)e->height, (int64_t)e->depth,
                                           (int64_t)row, (int64_t)rows, (int64_t)slices}));
            *error = cudaErrorInvalidValue;
        }
        const size_t offset = (p->z * rows + p->y) * row + p->x;
        *out = (side){p->end, (const void *)(uintptr_t)(a->addr + offset), row, row * rows};
    }
    const cudaError_t result = *error;
    vg_end(ctx, result);
    return result == cudaSuccess;
}

/* ---- two dimensions ---- */

static cudaError_t to_array(request r, cudaArray_t dst, size_t x, size_t y, const void *src,
                            size_t spitch, extent e, enum cudaMemcpyKind kind) {
    const array_part part = {dst, x, y, 0, VGPU_DESTINATION};
    const side from = {VGPU_SOURCE, src, spitch, 0};
    side to;
    cudaError_t error;
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
        return vg_remember(cudaErrorInvalidMemcpyDirection);
    return array_side(r.call, &part, &e, &to, &error) ? vg_copy_call(r, &to, &from, e, kind)
                                                      : error;
}

static cudaError_t from_array(request r, void *dst, size_t dpitch, cudaArray_const_t src, size_t x,
                              size_t y, extent e, enum cudaMemcpyKind kind) {
    const array_part part = {src, x, y, 0, VGPU_SOURCE};
    const side to = {VGPU_DESTINATION, dst, dpitch, 0};
    side from;
    cudaError_t error;
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
        return vg_remember(cudaErrorInvalidMemcpyDirection);
    return array_side(r.call, &part, &e, &from, &error) ? vg_copy_call(r, &to, &from, e, kind)
                                                        : error;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                size_t spitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind) {
    return to_array(NOW("cudaMemcpy2DToArray"), dst, wOffset, hOffset, src, spitch,
                    (extent){width, height, 1}, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void *src, size_t spitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
    return to_array(ASYNC("cudaMemcpy2DToArrayAsync", stream), dst, wOffset, hOffset, src, spitch,
                    (extent){width, height, 1}, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  enum cudaMemcpyKind kind) {
    return from_array(NOW("cudaMemcpy2DFromArray"), dst, dpitch, src, wOffset, hOffset,
                      (extent){width, height, 1}, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream) {
    return from_array(ASYNC("cudaMemcpy2DFromArrayAsync", stream), dst, dpitch, src, wOffset,
                      hOffset, (extent){width, height, 1}, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, enum cudaMemcpyKind kind) {
    const char *call = "cudaMemcpy2DArrayToArray";
    const array_part source = {src, wOffsetSrc, hOffsetSrc, 0, VGPU_SOURCE};
    const extent e = {width, height, 1};
    side from;
    cudaError_t error;
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return vg_remember(cudaErrorInvalidMemcpyDirection);
    return array_side(call, &source, &e, &from, &error)
               ? to_array(NOW(call), dst, wOffsetDst, hOffsetDst, from.ptr, from.pitch, e, kind)
               : error;
}

/* ---- bytes one after the other, over the rows' ends: the calls of the first toolkits ---- */

/* An offset in rows and bytes, in bytes from the array's begin; its rows count as one. */
static bool in_a_row(const char *call, cudaArray_const_t array, size_t x, size_t y, size_t count,
                     enum vgpu_end end, side *out, cudaError_t *error) {
    const array_part first = {array, x, y, 0, end};
    const extent nothing = {0, 0, 0};
    if (!array_side(call, &first, &nothing, out, error))
        return false;
    out->pitch = out->slice = count; /* the memory's end is where a copy has to stop */
    return true;
}

static cudaError_t row_to_array(request r, cudaArray_t dst, size_t wOffset, size_t hOffset,
                                const void *src, size_t count, enum cudaMemcpyKind kind) {
    const side from = {VGPU_SOURCE, src, count, count};
    side to;
    cudaError_t error;
    return in_a_row(r.call, dst, wOffset, hOffset, count, VGPU_DESTINATION, &to, &error)
               ? vg_copy_call(r, &to, &from, (extent){count, 1, 1}, kind)
               : error;
}

static cudaError_t row_from_array(request r, void *dst, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t count, enum cudaMemcpyKind kind) {
    const side to = {VGPU_DESTINATION, dst, count, count};
    side from;
    cudaError_t error;
    return in_a_row(r.call, src, wOffset, hOffset, count, VGPU_SOURCE, &from, &error)
               ? vg_copy_call(r, &to, &from, (extent){count, 1, 1}, kind)
               : error;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                              size_t count, enum cudaMemcpyKind kind) {
    return row_to_array(NOW("cudaMemcpyToArray"), dst, wOffset, hOffset, src, count, kind);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                   size_t count, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return row_to_array(ASYNC("cudaMemcpyToArrayAsync", stream), dst, wOffset, hOffset, src, count,
                        kind);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, enum cudaMemcpyKind kind) {
    return row_from_array(NOW("cudaMemcpyFromArray"), dst, src, wOffset, hOffset, count, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset,
                                     size_t hOffset, size_t count, enum cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    return row_from_array(ASYNC("cudaMemcpyFromArrayAsync", stream), dst, src, wOffset, hOffset,
                          count, kind);
}

/* ---- boxes ---- */

/* Bytes of an element of the array that takes part; 1: none does, or it is none. */
static size_t element_of(cudaArray_const_t one, cudaArray_const_t other) {
    vg_context *ctx = vg_begin();
    const struct cudaArray *a = vg_array_of(ctx, one ? one : other);
    const size_t bytes = a ? a->texel : 1;
    vg_end_quietly(ctx);
    return bytes;
}

/* One side of a 3D copy: an array's part, whose place is told in elements; or memory, in bytes. */
static bool box_side(const char *call, enum vgpu_end end, cudaArray_const_t array,
                     const struct cudaPitchedPtr *p, const struct cudaPos *pos, const extent *e,
                     side *out, cudaError_t *error) {
    if (array) {
        const array_part part = {array, pos->x * element_of(array, NULL), pos->y, pos->z, end};
        return array_side(call, &part, e, out, error);
    }
    const size_t slice = p->pitch * p->ysize;
    *out = (side){end, NULL, p->pitch, slice};
    if (p->ptr)
        out->ptr = (const uint8_t *)p->ptr + pos->z * slice + pos->y * p->pitch + pos->x;
    return true;
}

static cudaError_t box(request r, const struct cudaMemcpy3DParms *p) {
    if (!p || (p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr))
        return vg_remember(cudaErrorInvalidValue);
    const size_t element = p->srcArray || p->dstArray ? element_of(p->srcArray, p->dstArray) : 1;
    const extent e = {p->extent.width * element, p->extent.height, p->extent.depth};
    side to, from;
    cudaError_t error;
    if (!box_side(r.call, VGPU_DESTINATION, p->dstArray, &p->dstPtr, &p->dstPos, &e, &to, &error) ||
        !box_side(r.call, VGPU_SOURCE, p->srcArray, &p->srcPtr, &p->srcPos, &e, &from, &error))
        return error;
    return vg_copy_call(r, &to, &from, e, p->kind);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
    return box(ASYNC("cudaMemcpy3DAsync", stream), p);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
    return box(NOW("cudaMemcpy3D"), p);
}
