/*
 * event.c: events. An event is the host's monotonic clock, read when it is recorded: work is
 * already done by then. The times are the simulator's, not a GPU's.
 */
#include "vgpu/src/runtime/graph.h"
#include "vgpu/src/runtime/late.h"
#include "vgpu/src/runtime/order.h"

#include <stdlib.h>
#include <time.h>

struct CUevent_st {
    unsigned int flags;
    bool recorded;
    struct timespec at;
    cudaStream_t stream; /* recorded on it, behind so much work */
    uint64_t position;
    vg_seen seen; /* what is done when it is */
};

static void event_free(struct CUevent_st *e) {
    vg_seen_free(&e->seen);
    free(e);
}

static void drop(const void *key, void *value, void *arg) {
    (void)key, (void)arg;
    event_free(value);
}

void vg_events_clear(vg_context *ctx) {
    vg_ptrmap_each(&ctx->events, drop, NULL);
    vg_ptrmap_clear(&ctx->events);
}

static cudaError_t event_of(vg_context *ctx, const char *call, cudaEvent_t event,
                            struct CUevent_st **e) {
    cudaError_t error = vg_ready(ctx);
    if (error != cudaSuccess)
        return error;
    *e = vg_ptrmap_get(&ctx->events, event);
    if (*e)
        return cudaSuccess;
    vg_tell(ctx, VG_NOTE(EVENT_NONE, .call = call, .is.address = (uint64_t)(uintptr_t)event,
                         .is.status = cudaErrorInvalidResourceHandle));
    return cudaErrorInvalidResourceHandle;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    const unsigned int known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (!event || (flags & ~known) != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        struct CUevent_st *e = calloc(1, sizeof *e);
        if (!e || !vg_ptrmap_put(&ctx->events, e, e)) {
            free(e);
            error = cudaErrorMemoryAllocation;
        } else {
            e->flags = flags;
            *event = e;
        }
    }
    return vg_end(ctx, error);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    vg_context *ctx = vg_begin();
    struct CUevent_st *e = NULL;
    cudaError_t error = event_of(ctx, "cudaEventDestroy", event, &e);
    if (error == cudaSuccess) {
        vg_capture_forgets(ctx, event);
        vg_ptrmap_take(&ctx->events, event);
        event_free(e);
    }
    return vg_end(ctx, error);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
    vg_context *ctx = vg_begin();
    struct CUevent_st *e = NULL;
    cudaError_t error = event_of(ctx, "cudaEventRecord", event, &e);
    if (error == cudaSuccess && !vg_stream_valid(ctx, stream))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && (flags & ~(unsigned)cudaEventRecordExternal) != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && vg_is_captured(ctx, stream))
        return vg_end(ctx, vg_capture_record(ctx, event, stream));
    if (error == cudaSuccess) {
        vg_capture_forgets(ctx, event);
        clock_gettime(CLOCK_MONOTONIC, &e->at);
        e->recorded = true;
        e->stream = stream;
        e->position = vg_stream_position(ctx, stream);
        vg_order_record(ctx, stream, &e->seen);
    }
    return vg_end(ctx, error);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

/* All that an event stands behind is done when it is recorded: to ask is to have waited. */
static cudaError_t wait_for(const char *call, cudaEvent_t event) {
    vg_context *ctx = vg_begin();
    struct CUevent_st *e = NULL;
    cudaError_t error = event_of(ctx, call, event, &e);
    if (error == cudaSuccess)
        error = vg_capture_allows_event(ctx, "waiting for an event", event);
    if (error == cudaSuccess && e->recorded) {
        vg_order_waits_for_event(ctx, &e->seen);
        vg_late_done(ctx);
        if (e->position > 0)
            vg_stream_done_to(ctx, e->stream, e->position);
        else
            vg_stream_finished(ctx, e->stream);
    }
    return vg_end(ctx, error);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return wait_for("cudaEventQuery", event);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return wait_for("cudaEventSynchronize", event);
}

void vg_event_joins(vg_context *ctx, cudaEvent_t event, cudaStream_t stream) {
    const struct CUevent_st *e = vg_ptrmap_get(&ctx->events, event);
    if (e && e->recorded)
        vg_order_joins(ctx, stream, &e->seen);
    if (e && e->recorded && e->position > 0) {
        vg_stream_done_to(ctx, e->stream, e->position);
        vg_stream_busy(ctx, stream);
    }
}

/* Is there a time to be told of it? `which` of the two it is. */
static cudaError_t timed(vg_context *ctx, const char *which, const struct CUevent_st *e) {
    static const char call[] = "cudaEventElapsedTime";
    if (e->recorded && !(e->flags & cudaEventDisableTiming))
        return cudaSuccess;
    if (e->recorded)
        vg_tell(ctx, VG_NOTE(EVENT_UNTIMED, .call = call, .name = which,
                             .is.status = cudaErrorInvalidResourceHandle));
    else
        vg_tell(ctx, VG_NOTE(EVENT_UNRECORDED, .call = call, .name = which,
                             .is.status = cudaErrorInvalidResourceHandle));
    return cudaErrorInvalidResourceHandle;
}

/* On a GPU the work before it may still run then, and there is no time yet. */
static cudaError_t happened(vg_context *ctx, const char *which, const struct CUevent_st *e) {
    if (!ctx->settings.late || vg_order_event_seen(ctx, &e->seen))
        return cudaSuccess;
    vg_tell(ctx, VG_NOTE(EVENT_EARLY, .call = "cudaEventElapsedTime", .name = which,
                         .is.status = cudaErrorNotReady));
    return cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
    static const char call[] = "cudaEventElapsedTime";
    vg_context *ctx = vg_begin();
    struct CUevent_st *from = NULL;
    struct CUevent_st *to = NULL;
    cudaError_t error = ms ? event_of(ctx, call, start, &from) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = event_of(ctx, call, end, &to);
    if (error == cudaSuccess)
        error = timed(ctx, "first", from);
    if (error == cudaSuccess)
        error = timed(ctx, "second", to);
    if (error == cudaSuccess)
        error = happened(ctx, "first", from);
    if (error == cudaSuccess)
        error = happened(ctx, "second", to);
    if (error == cudaSuccess)
        *ms = (float)((double)(to->at.tv_sec - from->at.tv_sec) * 1e3 +
                      (double)(to->at.tv_nsec - from->at.tv_nsec) * 1e-6);
    return vg_end(ctx, error);
}
