/*
 * graph.h: CUDA graphs, by capture or of nodes that the program adds, and their replay.
 * While a stream is captured, what is put on it becomes
 * a node of a graph and does not run; launching the graph puts the nodes on a stream, in the order
 * in which they were captured, by the same calls. That order fits all dependencies, since whatever
 * a node waits for was captured before it.
 *
 * Nodes that a program adds itself (graph_build.c) know what they wait for; instantiating the graph
 * puts them in order, or fails where they wait for each other.
 *
 * Streams join a capture by waiting for an event that was recorded in it, and must be waited for in
 * turn before it ends. What a captured stream cannot do (wait, query) and what would wait for it
 * (the default stream, the device) fails and spoils the capture, as the API says.
 *
 * Contract: with the context's lock held, but for the API's own functions.
 */
#pragma once

#include "vgpu/src/runtime/copy.h"

/* Is what is put on this stream captured? */
bool vg_is_captured(const vg_context *ctx, cudaStream_t stream);

/* These make a node of what is put on a captured stream. */
cudaError_t vg_capture_launch(vg_context *ctx, cudaStream_t stream, const void *func,
                              const vg_function *fn, dim3 grid, dim3 block, void *const *args,
                              size_t shared, bool cooperative);
cudaError_t vg_capture_copy(vg_context *ctx, const request *r, const side *to, const side *from,
                            const extent *e, enum cudaMemcpyKind kind);
cudaError_t vg_capture_set(vg_context *ctx, cudaStream_t stream, const side *to, const extent *e,
                           int value);
cudaError_t vg_capture_host(vg_context *ctx, cudaStream_t stream, cudaHostFn_t fn, void *data);
/* An event recorded on a captured stream; and recorded elsewhere, or gone. */
cudaError_t vg_capture_record(vg_context *ctx, cudaEvent_t event, cudaStream_t stream);
void vg_capture_forgets(vg_context *ctx, cudaEvent_t event);
/* A stream waits for an event. *done: that was part of a capture, and is all there is to do. */
cudaError_t vg_capture_wait(vg_context *ctx, cudaStream_t stream, cudaEvent_t event, bool *done);

/* Spoils the capture that the stream takes part in, and says why. */
void vg_capture_refuses(vg_context *ctx, const char *call, cudaStream_t stream, const char *why);
/* cudaSuccess unless a capture forbids it, which is said and spoils the capture: work that runs at
 * once on a stream; waiting for a stream; for an event; for the device, or allocating. */
cudaError_t vg_capture_allows_work(vg_context *ctx, const char *call, cudaStream_t stream);
cudaError_t vg_capture_allows_waiting(vg_context *ctx, const char *call, cudaStream_t stream);
cudaError_t vg_capture_allows_event(vg_context *ctx, const char *call, cudaEvent_t event);
cudaError_t vg_capture_allows_all(vg_context *ctx, const char *call);

/* Forgets all graphs and captures. */
void vg_graphs_clear(vg_context *ctx);
