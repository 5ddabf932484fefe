/* capture.c: what is put on streams becomes nodes of a graph; see graph.h. */
#include "vgpu/src/runtime/graph_nodes.h"

#include <stdlib.h>
#include <string.h>

struct vg_capture {
    struct CUgraph_st *graph;
    cudaStream_t origin;
    bool global; /* mode: what is unsafe anywhere in the process is refused */
    bool spoilt; /* nothing will come of it */
    struct vg_capture *next;
};

/* A stream that takes part in a capture. */
typedef struct member {
    struct vg_capture *of;
    uint64_t work; /* nodes put on it */
    bool loose;    /* nobody waits for its last one yet */
    vg_node next;  /* only what it will wait for: the stream's last node, or events' */
} member;

/* An event that was recorded in a capture. */
typedef struct moment {
    struct vg_capture *of; /* compared, never followed: it may be over */
    cudaStream_t stream;
    uint64_t work;
    vg_node next; /* what a node behind it waits for */
} moment;

static member *member_of(const vg_context *ctx, cudaStream_t stream) {
    return stream ? vg_ptrmap_get(&ctx->captured, stream) : NULL;
}

bool vg_is_captured(const vg_context *ctx, cudaStream_t stream) {
    return member_of(ctx, stream) != NULL;
}

/* ---- nodes ---- */

static void free_member(member *m) {
    if (m)
        free(m->next.after);
    free(m);
}

static void free_moment(moment *m) {
    if (m)
        free(m->next.after);
    free(m);
}

/* `n` waits for what `other` waits for. */
static bool waits_as(vg_node *n, const vg_node *other) {
    for (size_t i = 0; i < other->num_after; i++)
        if (!vg_node_waits(n, other->after[i]))
            return false;
    return true;
}

/* Puts a node on a captured stream. */
static cudaError_t add(vg_context *ctx, cudaStream_t stream, const vg_node *n) {
    member *m = member_of(ctx, stream);
    if (m->of->spoilt)
        return cudaErrorStreamCaptureInvalidated;
    vg_node node = *n;
    node.after = m->next.after; /* the graph's from now on */
    node.num_after = m->next.num_after;
    if (!vg_nodes_add(m->of->graph, &node)) {
        m->of->spoilt = true;
        return cudaErrorMemoryAllocation;
    }
    m->next = (vg_node){0};
    m->of->spoilt = !vg_node_waits(&m->next, vg_nodes_last(m->of->graph));
    m->work++;
    m->loose = true;
    return cudaSuccess;
}

cudaError_t vg_capture_launch(vg_context *ctx, cudaStream_t stream, const void *func,
                              const vg_function *fn, dim3 grid, dim3 block, void *const *args,
                              size_t shared, bool cooperative) {
    vg_node n;
    cudaError_t error = vg_node_launches(&n, func, fn, grid, block, args, shared, cooperative);
    if (error != cudaSuccess)
        return error;
    error = add(ctx, stream, &n);
    if (error != cudaSuccess)
        vg_node_drop(&n);
    return error;
}

cudaError_t vg_capture_copy(vg_context *ctx, const request *r, const side *to, const side *from,
                            const extent *e, enum cudaMemcpyKind kind) {
    const vg_node n = {.kind = NODE_COPY, .copy = {r->call, *to, *from, *e, kind}};
    return add(ctx, r->stream, &n);
}

cudaError_t vg_capture_set(vg_context *ctx, cudaStream_t stream, const side *to, const extent *e,
                           int value) {
    const vg_node n = {.kind = NODE_SET, .set = {*to, *e, value, 0}};
    return add(ctx, stream, &n);
}

cudaError_t vg_capture_host(vg_context *ctx, cudaStream_t stream, cudaHostFn_t fn, void *data) {
    const vg_node n = {.kind = NODE_HOST, .host = {fn, data}};
    return add(ctx, stream, &n);
}

/* ---- what a capture forbids ---- */

static cudaError_t spoil(vg_context *ctx, struct vg_capture *c, const char *call, const char *why,
                         cudaError_t error) {
    if (!c->spoilt)
        vg_tell(ctx, VG_NOTE(CAPTURE_SPOILT, .call = call, .other = why, .is.status = error));
    c->spoilt = true;
    return error;
}

void vg_capture_refuses(vg_context *ctx, const char *call, cudaStream_t stream, const char *why) {
    spoil(ctx, member_of(ctx, stream)->of, call, why, cudaErrorStreamCaptureUnsupported);
}

cudaError_t vg_capture_allows_work(vg_context *ctx, const char *call, cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    if (stream && stream != cudaStreamLegacy)
        return cudaSuccess;
    for (struct vg_capture *c = ctx->captures; c; c = c->next)
        if (vg_stream_blocks(ctx, c->origin))
            error = spoil(ctx, c, call, "it is on the default stream, which waits for this one",
                          cudaErrorStreamCaptureImplicit);
    return error;
}

cudaError_t vg_capture_allows_waiting(vg_context *ctx, const char *call, cudaStream_t stream) {
    const member *m = member_of(ctx, stream);
    return m ? spoil(ctx, m->of, call, "it would wait for work that is not running yet",
                     cudaErrorStreamCaptureUnsupported)
             : vg_capture_allows_work(ctx, call, stream);
}

static struct vg_capture *live_capture(const vg_context *ctx, const moment *m) {
    struct vg_capture *c = m ? ctx->captures : NULL;
    while (c && c != m->of)
        c = c->next;
    return c;
}

cudaError_t vg_capture_allows_event(vg_context *ctx, const char *call, cudaEvent_t event) {
    const moment *m = vg_ptrmap_get(&ctx->moments, event);
    struct vg_capture *c = live_capture(ctx, m);
    if (c)
        spoil(ctx, c, call, "the event was recorded in the capture, and has not happened yet",
              cudaErrorCapturedEvent);
    return m ? cudaErrorCapturedEvent : cudaSuccess;
}

cudaError_t vg_capture_allows_all(vg_context *ctx, const char *call) {
    cudaError_t error = cudaSuccess;
    for (struct vg_capture *c = ctx->captures; c; c = c->next)
        if (c->global)
            error = spoil(ctx, c, call, "it concerns the whole device",
                          cudaErrorStreamCaptureUnsupported);
    return error;
}

/* ---- events: streams that join, and are joined ---- */

static bool join(vg_context *ctx, struct vg_capture *c, cudaStream_t stream) {
    member *m = malloc(sizeof *m);
    if (!m || !vg_ptrmap_put(&ctx->captured, stream, m)) {
        free(m);
        return false;
    }
    *m = (member){.of = c, .loose = stream != c->origin};
    return true;
}

cudaError_t vg_capture_record(vg_context *ctx, cudaEvent_t event, cudaStream_t stream) {
    const member *m = member_of(ctx, stream);
    moment *now = malloc(sizeof *now);
    vg_capture_forgets(ctx, event);
    if (now)
        *now = (moment){.of = m->of, .stream = stream, .work = m->work};
    if (!now || !waits_as(&now->next, &m->next) || !vg_ptrmap_put(&ctx->moments, event, now)) {
        free_moment(now);
        return cudaErrorMemoryAllocation;
    }
    return cudaSuccess;
}

void vg_capture_forgets(vg_context *ctx, cudaEvent_t event) {
    if (ctx->moments.count > 0)
        free_moment(vg_ptrmap_take(&ctx->moments, event));
}

cudaError_t vg_capture_wait(vg_context *ctx, cudaStream_t stream, cudaEvent_t event, bool *done) {
    const moment *at = vg_ptrmap_get(&ctx->moments, event);
    struct vg_capture *c = live_capture(ctx, at);
    member *waiter = member_of(ctx, stream);
    *done = waiter || at;
    if (!*done)
        return cudaSuccess;
    if (!c) /* a captured stream, and an event that is of no capture, or of one that is over */
        return waiter ? spoil(ctx, waiter->of, "cudaStreamWaitEvent",
                              "the event was recorded outside of the capture",
                              cudaErrorStreamCaptureIsolation)
                      : cudaErrorCapturedEvent;
    if (waiter && waiter->of != c)
        return spoil(ctx, c, "cudaStreamWaitEvent", "event and stream are of two captures",
                     cudaErrorStreamCaptureMerge);
    if (!stream || (!waiter && !join(ctx, c, stream)))
        return spoil(ctx, c, "cudaStreamWaitEvent", "the default stream cannot take part",
                     cudaErrorStreamCaptureImplicit);
    waiter = member_of(ctx, stream);
    if (!waits_as(&waiter->next, &at->next))
        return cudaErrorMemoryAllocation;
    member *awaited = member_of(ctx, at->stream);
    if (awaited && awaited != waiter && awaited->work == at->work) {
        awaited->loose = false; /* whoever waits for the waiter waits for it, too */
        waiter->loose = true;
    }
    return cudaSuccess;
}

/* ---- begin and end ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (unsigned)mode > cudaStreamCaptureModeRelaxed)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !vg_ptrmap_get(&ctx->streams, stream)) {
        vg_tell(ctx, VG_NOTE(CAPTURE_DEFAULT, .call = "cudaStreamBeginCapture"));
        error = cudaErrorStreamCaptureUnsupported;
    }
    if (error == cudaSuccess && vg_is_captured(ctx, stream))
        error = cudaErrorIllegalState;
    if (error == cudaSuccess) {
        struct vg_capture *c = calloc(1, sizeof *c);
        if (c)
            *c = (struct vg_capture){.graph = calloc(1, sizeof *c->graph),
                                     .origin = stream,
                                     .global = mode == cudaStreamCaptureModeGlobal,
                                     .next = ctx->captures};
        if (!c || !c->graph || !join(ctx, c, stream)) {
            if (c)
                free(c->graph);
            free(c);
            error = cudaErrorMemoryAllocation;
        } else {
            ctx->captures = c;
        }
    }
    return vg_end(ctx, error);
}

struct leaving {
    vg_context *ctx;
    const struct vg_capture *of;
    const void *one; /* a stream that is part of it */
    bool loose;      /* another than the origin has work that nobody waits for */
};

static void find_member(const void *key, void *value, void *arg) {
    struct leaving *l = arg;
    const member *m = value;
    if (m->of != l->of)
        return;
    l->one = key;
    l->loose |= m->loose && key != l->of->origin;
}

/* All streams leave a capture, which is forgotten. True: all were joined. */
static bool dissolve(vg_context *ctx, struct vg_capture *c) {
    struct leaving l = {ctx, c, NULL, false};
    for (vg_ptrmap_each(&ctx->captured, find_member, &l); l.one;
         vg_ptrmap_each(&ctx->captured, find_member, &l)) {
        free_member(vg_ptrmap_take(&ctx->captured, l.one));
        l.one = NULL;
    }
    struct vg_capture **at = &ctx->captures;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    free(c);
    return !l.loose;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const member *m = member_of(ctx, stream);
    if (error == cudaSuccess && (!m || !pGraph))
        error = m ? cudaErrorInvalidValue : cudaErrorIllegalState;
    if (error == cudaSuccess && m->of->origin != stream)
        error = spoil(ctx, m->of, "cudaStreamEndCapture", "the capture began on another stream",
                      cudaErrorStreamCaptureUnmatched);
    if (error == cudaSuccess) {
        struct CUgraph_st *graph = m->of->graph;
        const bool spoilt = m->of->spoilt, joined = dissolve(ctx, m->of);
        *pGraph = NULL;
        error = spoilt    ? cudaErrorStreamCaptureInvalidated
                : !joined ? cudaErrorStreamCaptureUnjoined
                          : cudaSuccess;
        if (!spoilt && !joined)
            vg_tell(ctx, VG_NOTE(CAPTURE_UNJOINED, .call = "cudaStreamEndCapture"));
        if (error == cudaSuccess && !vg_ptrmap_put(&ctx->graphs, graph, graph))
            error = cudaErrorMemoryAllocation;
        if (error == cudaSuccess)
            *pGraph = graph;
        else
            vg_graph_free(graph);
    }
    return vg_end(ctx, error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const member *m = member_of(ctx, stream);
    if (error == cudaSuccess && !vg_stream_valid(ctx, stream))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && !status)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *status = !m              ? cudaStreamCaptureStatusNone
                  : m->of->spoilt ? cudaStreamCaptureStatusInvalidated
                                  : cudaStreamCaptureStatusActive;
    return vg_end(ctx, error);
}

static void drop(const void *key, void *value, void *arg) {
    (void)key, (void)arg;
    free_moment(value);
}

void vg_captures_clear(vg_context *ctx) {
    while (ctx->captures) {
        vg_graph_free(ctx->captures->graph);
        dissolve(ctx, ctx->captures);
    }
    vg_ptrmap_each(&ctx->moments, drop, NULL);
    vg_ptrmap_clear(&ctx->moments);
}
