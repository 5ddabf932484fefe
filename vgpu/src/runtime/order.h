/*
 * order.h: which work of the streams comes after which.
 *
 * Every piece of work has a moment: its stream's lane, and a number that grows from piece to piece.
 * Each lane knows up to which number it has seen every other lane, and so do the host and events:
 *
 *     moment m = vg_order_begin(ctx, stream);       work begins: it sees what its stream waits for
 *     vg_order_seen(ctx, m)                         the work at hand comes after m
 *     vg_order_host_seen(ctx, m)                    the host has waited for m
 *
 * The default stream and those that block see each other; non-blocking streams see what they wait
 * for. All streams see what the host had waited for when it gave them the work.
 *
 * Refuses to be exact where that would need another thread's thoughts: all threads of the host
 * count as one, all streams of cudaStreamPerThread as one, and beyond ORDER_LANES streams at once
 * the last lane is shared. Each of these orders more than hardware does, never less. When memory
 * runs out, all that was counts as waited for.
 *
 * Contract: with the context's lock held.
 */
#pragma once

#include "vgpu/src/runtime/context.h"

/* Up to which number of each lane work has been seen: at[lane], and of any lane up to `all`. */
typedef struct vg_seen {
    uint64_t all;
    uint64_t *at;
    uint32_t lanes;
} vg_seen;

/* Work begins on the stream; its moment. */
vg_moment vg_order_begin(vg_context *ctx, cudaStream_t stream);
/* The moment of the work that began last. */
vg_moment vg_order_now(const vg_context *ctx);
bool vg_order_seen(const vg_context *ctx, vg_moment m);
bool vg_order_host_seen(const vg_context *ctx, vg_moment m);
/* The host has waited for all that an event stands behind. */
bool vg_order_event_seen(const vg_context *ctx, const vg_seen *event);

/* The host waits: for what is on the stream (and, on the default stream, on all that block), for
 * an event, for everything. What kernels printed before that is shown (prints.h). */
void vg_order_waits(vg_context *ctx, cudaStream_t stream);
void vg_order_waits_for_event(vg_context *ctx, const vg_seen *event);
void vg_order_waits_for_all(vg_context *ctx);

/* What an event behind the stream's work so far stands for; and a stream that waits for it. */
void vg_order_record(vg_context *ctx, cudaStream_t stream, vg_seen *event);
void vg_order_joins(vg_context *ctx, cudaStream_t stream, const vg_seen *event);
void vg_seen_free(vg_seen *seen);

/* A branch of a graph begins, and sees what is `before`; it counts as a stream by this name, until
 * vg_order_forget. And: from now on this thread's work on a stream is a branch's; NULL: no more. */
void vg_order_branch(vg_context *ctx, cudaStream_t name, const vg_seen *before);
void vg_order_instead(cudaStream_t stream, cudaStream_t branch);

/* The stream's handle means nothing any more; what it did stays. */
void vg_order_forget(vg_context *ctx, cudaStream_t stream);
/* No stream's handle does, and everything has been waited for. */
void vg_order_reset(vg_context *ctx);
