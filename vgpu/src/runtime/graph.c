/* graph.c: graphs, and how they are launched; see graph.h. */
#include "vgpu/src/runtime/branches.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

cudaError_t vg_node_launches(vg_node *n, const void *func, const vg_function *fn, dim3 grid,
                             dim3 block, void *const *args, size_t shared, bool cooperative) {
    *n = (vg_node){.kind = NODE_LAUNCH,
                   .launch = {.func = func,
                              .grid = grid,
                              .block = block,
                              .shared = shared,
                              .cooperative = cooperative,
                              .count = vg_kernel_get_info(fn->kernel)->num_params}};
    size_t offset = 0, size = 0;
    for (int i = 0; i < n->launch.count; i++) {
        vg_kernel_param(fn->kernel, i, &offset, &size);
        n->launch.bytes = offset + size > n->launch.bytes ? offset + size : n->launch.bytes;
    }
    n->launch.at = calloc(1, (size_t)n->launch.count * sizeof(void *) + n->launch.bytes + 1);
    if (!n->launch.at)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < n->launch.count; i++) {
        vg_kernel_param(fn->kernel, i, &offset, &size);
        n->launch.at[i] = (uint8_t *)(n->launch.at + n->launch.count) + offset;
        memcpy(n->launch.at[i], args[i], size);
    }
    return cudaSuccess;
}

void vg_node_drop(vg_node *n) {
    if (n->kind == NODE_LAUNCH)
        free(n->launch.at);
    if (n->kind == NODE_CHILD && n->child)
        vg_graph_free(n->child);
    free(n->after);
}

static void **copy_arguments(const vg_node *n) {
    const size_t size = (size_t)n->launch.count * sizeof(void *) + n->launch.bytes;
    void **at = malloc(size + 1);
    if (at)
        memcpy(at, n->launch.at, size);
    for (int i = 0; at && i < n->launch.count; i++)
        at[i] = (uint8_t *)at + ((uint8_t *)n->launch.at[i] - (uint8_t *)n->launch.at);
    return at;
}

bool vg_nodes_add(struct CUgraph_st *g, const vg_node *from) {
    vg_node *n = malloc(sizeof *n);
    if (!n)
        return false;
    *n = *from;
    n->next = NULL;
    *(g->first ? g->end : &g->first) = n;
    g->end = &n->next;
    g->count++;
    return true;
}

vg_node *vg_nodes_last(const struct CUgraph_st *g) {
    return (vg_node *)(void *)((char *)g->end - offsetof(vg_node, next));
}

void vg_nodes_free(struct CUgraph_st *g) {
    for (vg_node *n = g->first, *next; n; n = next) {
        next = n->next;
        vg_node_drop(n);
        free(n);
    }
    *g = (struct CUgraph_st){0};
}

/* What only one node may have: its arguments, or its graph. False: no memory. */
static bool copy_own(vg_node *to, const vg_node *n) {
    if (n->kind == NODE_LAUNCH) {
        to->launch.at = copy_arguments(n);
        return to->launch.at != NULL;
    }
    if (n->kind != NODE_CHILD)
        return true;
    to->child = calloc(1, sizeof *to->child);
    return to->child && vg_nodes_copy(to->child, n->child);
}

/* A copy of a node in another graph; it waits for the copies of those that it waits for. */
static bool copy_node(struct CUgraph_st *to, const vg_node *n) {
    vg_node copy = *n;
    copy.of = n;
    copy.after = n->num_after > 0 ? calloc(n->num_after, sizeof(*copy.after)) : NULL;
    bool ok = copy_own(&copy, n) && (n->num_after == 0 || copy.after);
    for (size_t i = 0; ok && i < n->num_after; i++)
        copy.after[i] = n->after[i]; /* translated when all are there */
    ok = ok && vg_nodes_add(to, &copy);
    if (!ok)
        vg_node_drop(&copy);
    return ok;
}

vg_node *vg_node_copy_of(const struct CUgraph_st *g, const vg_node *original) {
    vg_node *n = g->first;
    while (n && n->of != original)
        n = n->next;
    return n;
}

bool vg_nodes_copy(struct CUgraph_st *to, const struct CUgraph_st *from) {
    *to = (struct CUgraph_st){0};
    for (const vg_node *n = from->first; n; n = n->next) {
        if (!copy_node(to, n)) {
            vg_nodes_free(to);
            return false;
        }
    }
    for (vg_node *n = to->first; n; n = n->next)
        for (size_t i = 0; n->after && i < n->num_after; i++)
            n->after[i] = vg_node_copy_of(to, n->after[i]);
    return true;
}

void vg_graph_free(struct CUgraph_st *g) {
    vg_nodes_free(g);
    free(g);
}

/* ---- graphs ---- */

static struct CUgraph_st *graph_of(const vg_context *ctx, cudaGraph_t graph) {
    return graph ? vg_ptrmap_get(&ctx->graphs, graph) : NULL;
}

static struct CUgraphExec_st *exec_of(const vg_context *ctx, cudaGraphExec_t exec) {
    return exec ? vg_ptrmap_get(&ctx->graph_execs, exec) : NULL;
}

static void free_exec(struct CUgraphExec_st *x) {
    vg_nodes_free(&x->nodes);
    vg_seen_free(&x->last);
    free(x);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                 unsigned long long flags) {
    (void)flags; /* about memory nodes and launches from kernels */
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    struct CUgraph_st *g = graph_of(ctx, graph);
    if (error == cudaSuccess && (!pGraphExec || !g))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !vg_nodes_order(g)) {
        vg_tell(ctx, VG_NOTE(GRAPH_CYCLE, .call = "cudaGraphInstantiate"));
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        struct CUgraphExec_st *x = calloc(1, sizeof *x);
        if (!x || !vg_nodes_copy(&x->nodes, g)) {
            error = cudaErrorMemoryAllocation;
        } else if (!vg_ptrmap_put(&ctx->graph_execs, x, x)) {
            vg_nodes_free(&x->nodes);
            error = cudaErrorMemoryAllocation;
        }
        if (error == cudaSuccess)
            *pGraphExec = x;
        else
            free(x);
    }
    return vg_end(ctx, error);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                          unsigned long long flags) {
    return cudaGraphInstantiate(pGraphExec, graph, flags);
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const struct CUgraph_st *g = graph_of(ctx, originalGraph);
    if (error == cudaSuccess && (!pGraphClone || !g))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        struct CUgraph_st *clone = calloc(1, sizeof *clone);
        if (!clone || !vg_nodes_copy(clone, g) || !vg_ptrmap_put(&ctx->graphs, clone, clone)) {
            if (clone)
                vg_graph_free(clone);
            error = cudaErrorMemoryAllocation;
        } else {
            *pGraphClone = clone;
        }
    }
    return vg_end(ctx, error);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    struct CUgraph_st *g = graph ? vg_ptrmap_take(&ctx->graphs, graph) : NULL;
    if (g)
        vg_graph_free(g);
    else if (error == cudaSuccess)
        error = cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    struct CUgraphExec_st *x = graphExec ? vg_ptrmap_take(&ctx->graph_execs, graphExec) : NULL;
    if (x)
        free_exec(x);
    else if (error == cudaSuccess)
        error = cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

/* Do both do the same, if with other arguments? */
static bool alike(const struct CUgraph_st *a, const struct CUgraph_st *b) {
    const vg_node *n = a->first, *m = b->first;
    for (; n && m && n->kind == m->kind; n = n->next, m = m->next)
        if ((n->kind == NODE_LAUNCH && n->launch.func != m->launch.func) ||
            (n->kind == NODE_CHILD && !alike(n->child, m->child)))
            return false;
    return !n && !m;
}

static cudaError_t update(cudaGraphExec_t graphExec, cudaGraph_t graph) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    struct CUgraphExec_st *x = exec_of(ctx, graphExec);
    const struct CUgraph_st *g = graph_of(ctx, graph);
    struct CUgraph_st fresh;
    if (error == cudaSuccess && (!x || !g))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !alike(&x->nodes, g))
        error = cudaErrorGraphExecUpdateFailure;
    if (error == cudaSuccess && !vg_nodes_copy(&fresh, g))
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess) {
        vg_nodes_free(&x->nodes);
        x->nodes = fresh;
    }
    return vg_end(ctx, error);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo) {
    const cudaError_t error = update(hGraphExec, hGraph);
    cudaGraphExecUpdateResultInfo info = {.result = cudaGraphExecUpdateSuccess};
    if (error != cudaSuccess)
        info.result = error == cudaErrorGraphExecUpdateFailure
                          ? cudaGraphExecUpdateErrorTopologyChanged
                          : cudaGraphExecUpdateError;
    if (resultInfo)
        *resultInfo = info;
    return error;
}

/* ---- replay ---- */

/* Elements of several bytes: each byte of theirs is a column of its own. */
static cudaError_t replay_set(const vg_node *n, cudaStream_t stream) {
    const extent e = n->set.extent;
    cudaError_t error = cudaSuccess;
    if (n->set.element <= 1)
        return vg_set_call(&n->set.to, e, n->set.value, stream);
    for (uint32_t b = 0; b < n->set.element && error == cudaSuccess; b++) {
        const side column = {n->set.to.end, (const char *)n->set.to.ptr + b, n->set.element,
                             n->set.to.pitch};
        error = vg_set_call(&column, (extent){1, e.width, e.height},
                            (int)((unsigned)n->set.value >> 8 * b & 255), stream);
    }
    return error;
}

static cudaError_t replay(const vg_node *n, cudaStream_t stream);

static cudaError_t replay_child(const struct CUgraph_st *g, cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    for (const vg_node *n = g->first; n && error == cudaSuccess; n = n->next)
        error = replay(n, stream);
    return error;
}

static cudaError_t replay(const vg_node *n, cudaStream_t stream) {
    if (n->disabled)
        return cudaSuccess;
    switch (n->kind) {
    case NODE_COPY: {
        const request r = {n->copy.call, true, stream, NULL};
        return vg_copy_call(r, &n->copy.to, &n->copy.from, n->copy.extent, n->copy.kind);
    }
    case NODE_SET: return replay_set(n, stream);
    case NODE_EMPTY: return cudaSuccess;
    case NODE_HOST: return cudaLaunchHostFunc(stream, n->host.fn, n->host.data);
    case NODE_CHILD: return replay_child(n->child, stream);
    default: break;
    }
    return n->launch.cooperative
               ? cudaLaunchCooperativeKernel(n->launch.func, n->launch.grid, n->launch.block,
                                             n->launch.at, n->launch.shared, stream)
               : cudaLaunchKernel(n->launch.func, n->launch.grid, n->launch.block, n->launch.at,
                                  n->launch.shared, stream);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    struct CUgraphExec_st *x = exec_of(ctx, graphExec);
    if (error == cudaSuccess && !x)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !vg_stream_valid(ctx, stream))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && vg_is_captured(ctx, stream)) {
        vg_capture_refuses(ctx, "cudaGraphLaunch", stream, "a graph cannot be captured in another");
        error = cudaErrorStreamCaptureUnsupported;
    }
    if (error == cudaSuccess)
        vg_order_joins(ctx, stream, &x->last);
    vg_end(ctx, error);
    if (error != cudaSuccess)
        return error;
    vg_branches *branches = vg_branches_begin(x, stream);
    size_t i = 0;
    for (const vg_node *n = x->nodes.first; n && error == cudaSuccess; n = n->next, i++) {
        vg_branches_enter(branches, i);
        error = replay(n, stream);
        vg_branches_leave(branches, i);
    }
    vg_branches_end(branches);
    ctx = vg_begin();
    vg_order_record(ctx, stream, &x->last);
    vg_end_quietly(ctx);
    return error;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && !exec_of(ctx, graphExec))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !vg_stream_valid(ctx, stream))
        error = cudaErrorInvalidResourceHandle;
    return vg_end(ctx, error);
}

/* ---- the end ---- */

static void drop_graph(const void *key, void *value, void *arg) {
    (void)key, (void)arg;
    vg_graph_free(value);
}

static void drop_exec(const void *key, void *value, void *arg) {
    (void)key, (void)arg;
    free_exec(value);
}

void vg_graphs_clear(vg_context *ctx) {
    vg_captures_clear(ctx);
    vg_ptrmap_each(&ctx->graphs, drop_graph, NULL);
    vg_ptrmap_clear(&ctx->graphs);
    vg_ptrmap_each(&ctx->graph_execs, drop_exec, NULL);
    vg_ptrmap_clear(&ctx->graph_execs);
}
