/*
 * stream.c: streams. Work is done when it is asked for, so every stream is always idle; what
 * remains is to know the live handles from the dead, and which streams hold work that on hardware
 * might still be running (vgpu.h).
 */
#include "vgpu/src/runtime/graph.h"
#include "vgpu/src/runtime/late.h"
#include "vgpu/src/runtime/order.h"
#include "vgpu/src/runtime/pool.h"

#include <stdlib.h>

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

struct CUstream_st {
    unsigned int flags;
    int priority;
    uint64_t work; /* pieces put on it so far */
    uint64_t done; /* of those, the host has waited for so many */
};

bool vg_stream_valid(const vg_context *ctx, cudaStream_t stream) {
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           vg_ptrmap_get(&ctx->streams, stream);
}

/* ---- what is unfinished ---- */

static bool blocking(const struct CUstream_st *s) {
    return (s->flags & cudaStreamNonBlocking) == 0;
}

bool vg_stream_blocks(const vg_context *ctx, cudaStream_t stream) {
    const struct CUstream_st *s = vg_ptrmap_get(&ctx->streams, stream);
    return !s || blocking(s);
}

static struct CUstream_st *stream_of(const vg_context *ctx, cudaStream_t stream) {
    return vg_ptrmap_get(&ctx->streams, stream);
}

void vg_stream_busy(vg_context *ctx, cudaStream_t stream) {
    struct CUstream_st *s = stream_of(ctx, stream);
    if (s) /* the default stream's work is everybody's business: callers wait for the device */
        s->work++;
}

uint64_t vg_stream_position(const vg_context *ctx, cudaStream_t stream) {
    const struct CUstream_st *s = stream_of(ctx, stream);
    return s ? s->work : 0;
}

void vg_stream_done_to(vg_context *ctx, cudaStream_t stream, uint64_t position) {
    struct CUstream_st *s = stream_of(ctx, stream);
    vg_pools_settle(ctx);
    if (s && s->done < position)
        s->done = position;
}

static void finish_blocking(const void *key, void *value, void *arg) {
    struct CUstream_st *s = value;
    (void)key, (void)arg;
    if (blocking(s))
        s->done = s->work;
}

static void finish(const void *key, void *value, void *arg) {
    struct CUstream_st *s = value;
    (void)key, (void)arg;
    s->done = s->work;
}

void vg_stream_done(vg_context *ctx, cudaStream_t stream) {
    vg_order_waits(ctx, stream);
    vg_late_done(ctx);
    vg_stream_finished(ctx, stream);
}

void vg_stream_finished(vg_context *ctx, cudaStream_t stream) {
    vg_pools_settle(ctx);
    if (stream_of(ctx, stream)) {
        vg_stream_done_to(ctx, stream, vg_stream_position(ctx, stream));
        return;
    }
    vg_ptrmap_each(&ctx->streams, finish_blocking, NULL);
    ctx->lost -= ctx->lost - ctx->lost_unordered;
}

void vg_all_done(vg_context *ctx) {
    vg_pools_settle(ctx);
    vg_late_all_done(ctx);
    vg_ptrmap_each(&ctx->streams, finish, NULL);
    ctx->lost = ctx->lost_unordered = 0;
}

struct tally {
    uint64_t unfinished, unordered;
};

static void count_one(const void *key, void *value, void *arg) {
    const struct CUstream_st *s = value;
    struct tally *t = arg;
    (void)key;
    t->unfinished += s->done < s->work;
    t->unordered += s->done < s->work && !blocking(s);
}

void vg_streams_count(const vg_context *ctx, uint64_t *unfinished, uint64_t *unordered) {
    struct tally t = {ctx->lost, ctx->lost_unordered};
    vg_ptrmap_each(&ctx->streams, count_one, &t);
    *unfinished = t.unfinished;
    *unordered = t.unordered;
}

/* vg_ready for a call on a stream. */
static cudaError_t ready_on(vg_context *ctx, cudaStream_t stream) {
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && !vg_stream_valid(ctx, stream)) {
        vg_tell(ctx, VG_NOTE(DEAD_STREAM, .is.address = (uint64_t)(uintptr_t)stream));
        error = cudaErrorInvalidResourceHandle;
    }
    return error;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (!pStream || (flags & ~(unsigned)cudaStreamNonBlocking) != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        struct CUstream_st *s = malloc(sizeof *s);
        if (!s || !vg_ptrmap_put(&ctx->streams, s, s)) {
            free(s);
            error = cudaErrorMemoryAllocation;
        } else {
            ctx->uses_streams = true;
            s->flags = flags;
            s->work = s->done = 0;
            s->priority = priority > LEAST_PRIORITY      ? LEAST_PRIORITY
                          : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                                         : priority;
            *pStream = s;
        }
    }
    return vg_end(ctx, error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags) {
    return cudaStreamCreateWithPriority(pStream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream) {
    return cudaStreamCreateWithPriority(pStream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && vg_is_captured(ctx, stream))
        error = vg_capture_allows_waiting(ctx, "cudaStreamDestroy", stream);
    if (error == cudaSuccess) {
        struct CUstream_st *s = vg_ptrmap_take(&ctx->streams, stream);
        if (!s) {
            error = cudaErrorInvalidResourceHandle;
        } else if (s->done < s->work) {
            ctx->lost++;
            ctx->lost_unordered += !blocking(s);
        }
        vg_order_forget(ctx, stream);
        free(s);
    }
    return vg_end(ctx, error);
}

static cudaError_t wait_for(vg_context *ctx, const char *call, cudaStream_t stream) {
    cudaError_t error = ready_on(ctx, stream);
    if (error == cudaSuccess)
        error = vg_capture_allows_waiting(ctx, call, stream);
    if (error == cudaSuccess)
        vg_stream_done(ctx, stream);
    return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    vg_context *ctx = vg_begin();
    return vg_end(ctx, wait_for(ctx, "cudaStreamSynchronize", stream));
}

/* Whoever asks until the answer is yes has waited. */
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    vg_context *ctx = vg_begin();
    return vg_end(ctx, wait_for(ctx, "cudaStreamQuery", stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    if (error == cudaSuccess && !vg_ptrmap_get(&ctx->events, event)) {
        vg_tell(ctx, VG_NOTE(EVENT_NONE, .call = "cudaStreamWaitEvent",
                             .is.address = (uint64_t)(uintptr_t)event,
                             .is.status = cudaErrorInvalidResourceHandle));
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess && (flags & ~(unsigned)cudaEventWaitExternal) != 0)
        error = cudaErrorInvalidValue;
    bool captured = false;
    if (error == cudaSuccess)
        error = vg_capture_wait(ctx, stream, event, &captured);
    if (error == cudaSuccess && !captured)
        vg_event_joins(ctx, event, stream);
    return vg_end(ctx, error);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    struct CUstream_st *s = vg_ptrmap_get(&ctx->streams, stream);
    if (error == cudaSuccess && !priority)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *priority = s ? s->priority : LEAST_PRIORITY;
    return vg_end(ctx, error);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    struct CUstream_st *s = vg_ptrmap_get(&ctx->streams, stream);
    if (error == cudaSuccess && !flags)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *flags = s ? s->flags : cudaStreamDefault;
    return vg_end(ctx, error);
}

/* A host function runs when the work before it on the stream is done, and may look; whom it tells,
 * nobody knows, and so the host as a whole has waited. */
static void before_callback(vg_context *ctx, cudaStream_t stream) {
    vg_order_waits(ctx, stream);
    vg_late_done(ctx);
}

/* The callback runs without the lock: cudaLaunchHostFunc forbids it to call CUDA, programs try. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    if (error == cudaSuccess && !fn)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && vg_is_captured(ctx, stream))
        return vg_end(ctx, vg_capture_host(ctx, stream, fn, userData));
    if (error == cudaSuccess)
        before_callback(ctx, stream);
    vg_end(ctx, error);
    if (error == cudaSuccess)
        fn(userData);
    return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    if (error == cudaSuccess && (!callback || flags != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && vg_is_captured(ctx, stream))
        error = vg_capture_allows_waiting(ctx, "cudaStreamAddCallback", stream);
    if (error == cudaSuccess)
        before_callback(ctx, stream);
    vg_end(ctx, error);
    if (error == cudaSuccess)
        callback(stream, cudaSuccess, userData);
    return error;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && leastPriority)
        *leastPriority = LEAST_PRIORITY;
    if (error == cudaSuccess && greatestPriority)
        *greatestPriority = GREATEST_PRIORITY;
    return vg_end(ctx, error);
}
