/* graph_build.c: graphs of nodes that the program makes itself; see graph.h. */
#include "vgpu/src/runtime/graph_nodes.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a node waits for ---- */

static vg_node *node_of(const struct CUgraph_st *g, cudaGraphNode_t node) {
    vg_node *n = g->first;
    while (n && n != (vg_node *)(void *)node)
        n = n->next;
    return n;
}

static bool waits_for(const vg_node *n, const vg_node *other) {
    for (size_t i = 0; i < n->num_after; i++)
        if (n->after[i] == other)
            return true;
    return false;
}

bool vg_node_waits(vg_node *n, vg_node *on) {
    if (waits_for(n, on))
        return true;
    vg_node **more = realloc(n->after, (n->num_after + 1) * sizeof(*more));
    if (!more)
        return false;
    n->after = more;
    n->after[n->num_after++] = on;
    return true;
}

static cudaError_t depend(vg_node *n, vg_node *on) {
    return vg_node_waits(n, on) ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* The nodes in an order that fits all dependencies, otherwise as they were. False: a cycle. */
bool vg_nodes_order(struct CUgraph_st *g) {
    struct CUgraph_st sorted = {0};
    sorted.end = &sorted.first;
    for (vg_node *n = g->first; n; n = n->next) {
        n->placed = false;
        if (n->kind == NODE_CHILD && !vg_nodes_order(n->child))
            return false;
    }
    while (g->first) {
        vg_node **at = &g->first, *n;
        for (; (n = *at) != NULL; at = &n->next) {
            size_t open = 0;
            for (size_t i = 0; i < n->num_after; i++)
                open += !n->after[i]->placed;
            if (open == 0)
                break;
        }
        if (!n)
            break;
        *at = n->next;
        n->next = NULL;
        n->placed = true;
        *sorted.end = n;
        sorted.end = &n->next;
    }
    const bool cycle = g->first != NULL;
    *sorted.end = g->first; /* what is left of a cycle stays a part of the graph */
    while (*sorted.end)
        sorted.end = &(*sorted.end)->next;
    g->first = sorted.first;
    g->end = sorted.end;
    return !cycle;
}

/* ---- adding nodes ---- */

static struct CUgraph_st *graph_for(vg_context *ctx, cudaGraph_t graph, cudaError_t *error) {
    *error = vg_ready(ctx);
    struct CUgraph_st *g = graph ? vg_ptrmap_get(&ctx->graphs, graph) : NULL;
    if (*error == cudaSuccess && !g)
        *error = cudaErrorInvalidValue;
    return *error == cudaSuccess ? g : NULL;
}

/* Puts a node at the graph's end, behind those it waits for; it is freed if that fails. */
static cudaError_t add(struct CUgraph_st *g, cudaGraphNode_t *out, const cudaGraphNode_t *after,
                       size_t count, vg_node *n) {
    cudaError_t error = out && (after || count == 0) ? cudaSuccess : cudaErrorInvalidValue;
    for (size_t i = 0; error == cudaSuccess && i < count; i++) {
        vg_node *on = node_of(g, after[i]);
        error = on && !waits_for(n, on) ? depend(n, on) : cudaErrorInvalidValue;
    }
    if (error == cudaSuccess && !vg_nodes_add(g, n))
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        *out = (cudaGraphNode_t)(void *)vg_nodes_last(g);
    else
        vg_node_drop(n);
    return error;
}

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (!pGraph || flags != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        struct CUgraph_st *g = calloc(1, sizeof *g);
        if (!g || !vg_ptrmap_put(&ctx->graphs, g, g)) {
            free(g);
            error = cudaErrorMemoryAllocation;
        } else {
            *pGraph = g;
        }
    }
    return vg_end(ctx, error);
}

static cudaError_t make_kernel(vg_context *ctx, const cudaKernelNodeParams *p, vg_node *n) {
    cudaError_t error = p && p->func && !p->extra ? cudaSuccess : cudaErrorInvalidValue;
    const vg_function *fn = error == cudaSuccess ? vg_function_of(ctx, p->func, &error) : NULL;
    if (!fn)
        return error;
    if (vg_kernel_get_info(fn->kernel)->num_params > 0 && !p->kernelParams)
        return cudaErrorInvalidValue;
    return vg_node_launches(n, p->func, fn, p->gridDim, p->blockDim, p->kernelParams,
                            p->sharedMemBytes, false);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const cudaKernelNodeParams *pNodeParams) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    struct CUgraph_st *g = graph_for(ctx, graph, &error);
    vg_node n = {0};
    if (g)
        error = make_kernel(ctx, pNodeParams, &n);
    if (g && error == cudaSuccess)
        error = add(g, pGraphNode, pDependencies, numDependencies, &n);
    return vg_end(ctx, error);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       cudaGraph_t childGraph) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    struct CUgraph_st *g = graph_for(ctx, graph, &error);
    const struct CUgraph_st *child = g ? graph_for(ctx, childGraph, &error) : NULL;
    vg_node n = {.kind = NODE_CHILD};
    if (child) {
        n.child = calloc(1, sizeof *n.child);
        if (n.child && vg_nodes_copy(n.child, child)) {
            error = add(g, pGraphNode, pDependencies, numDependencies, &n);
        } else {
            vg_node_drop(&n);
            error = cudaErrorMemoryAllocation;
        }
    }
    return vg_end(ctx, error);
}

static cudaError_t add_simple(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                              size_t count, bool valid, vg_node n) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    struct CUgraph_st *g = graph_for(ctx, graph, &error);
    if (g)
        error = valid ? add(g, out, after, count, &n) : cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

static bool make_copy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                      vg_node *n) {
    *n = (vg_node){.kind = NODE_COPY,
                   .copy = {.call = "a graph's copy",
                            .to = {VGPU_DESTINATION, dst, count, count},
                            .from = {VGPU_SOURCE, src, count, count},
                            .extent = {count, 1, 1},
                            .kind = kind}};
    return dst && src && (unsigned)kind <= cudaMemcpyDefault;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                     void *dst, const void *src, size_t count,
                                     enum cudaMemcpyKind kind) {
    vg_node n = {0};
    const bool valid = make_copy(dst, src, count, kind, &n);
    return add_simple(pGraphNode, graph, pDependencies, numDependencies, valid, n);
}

static side place_of(enum vgpu_end end, struct cudaPitchedPtr p, struct cudaPos at) {
    const char *ptr = p.ptr;
    return (side){end, ptr + at.x + at.y * p.pitch + at.z * p.pitch * p.ysize, p.pitch,
                  p.pitch * p.ysize};
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const struct cudaMemcpy3DParms *p) {
    vg_node n = {.kind = NODE_COPY};
    const bool valid = p && p->srcPtr.ptr && p->dstPtr.ptr && !p->srcArray && !p->dstArray;
    if (valid) {
        n.copy.call = "a graph's copy";
        n.copy.to = place_of(VGPU_DESTINATION, p->dstPtr, p->dstPos);
        n.copy.from = place_of(VGPU_SOURCE, p->srcPtr, p->srcPos);
        n.copy.extent = (extent){p->extent.width, p->extent.height, p->extent.depth};
        n.copy.kind = p->kind;
    }
    return add_simple(pGraphNode, graph, pDependencies, numDependencies, valid, n);
}

static bool make_set(const cudaMemsetParams *p, vg_node *n) {
    const bool valid = p && p->dst && p->width > 0 && p->height > 0 &&
                       (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4) &&
                       (p->height == 1 || p->pitch >= p->width * p->elementSize);
    n->kind = NODE_SET;
    if (valid) {
        n->set.to = (side){VGPU_DESTINATION, p->dst, p->pitch, 0};
        n->set.extent = (extent){p->width, p->height, 1};
        n->set.value = (int)p->value;
        n->set.element = p->elementSize;
    }
    return valid;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const cudaMemsetParams *p) {
    vg_node n = {0};
    const bool valid = make_set(p, &n);
    return add_simple(pGraphNode, graph, pDependencies, numDependencies, valid, n);
}

static bool make_host(const cudaHostNodeParams *p, vg_node *n) {
    n->kind = NODE_HOST;
    if (p) {
        n->host.fn = p->fn;
        n->host.data = p->userData;
    }
    return n->host.fn != NULL;
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                 const cudaHostNodeParams *pNodeParams) {
    vg_node n = {0};
    const bool valid = make_host(pNodeParams, &n);
    return add_simple(pGraphNode, graph, pDependencies, numDependencies, valid, n);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies, size_t numDependencies) {
    return add_simple(pGraphNode, graph, pDependencies, numDependencies, true,
                      (vg_node){.kind = NODE_EMPTY});
}

/* ---- changing what is there ---- */

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                     size_t numDependencies) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    struct CUgraph_st *g = graph_for(ctx, graph, &error);
    if (g && numDependencies > 0 && (!from || !to || edgeData))
        error = cudaErrorInvalidValue;
    for (size_t i = 0; g && error == cudaSuccess && i < numDependencies; i++) {
        vg_node *first = node_of(g, from[i]), *second = node_of(g, to[i]);
        error = first && second && first != second && !waits_for(second, first)
                    ? depend(second, first)
                    : cudaErrorInvalidValue;
    }
    return vg_end(ctx, error);
}

static cudaError_t no_longer(vg_node *n, const vg_node *on) {
    for (size_t i = 0; i < n->num_after; i++)
        if (n->after[i] == on) {
            n->after[i] = n->after[--n->num_after];
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edgeData, size_t numDependencies) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    struct CUgraph_st *g = graph_for(ctx, graph, &error);
    if (g && numDependencies > 0 && (!from || !to || edgeData))
        error = cudaErrorInvalidValue;
    for (size_t i = 0; g && error == cudaSuccess && i < numDependencies; i++) {
        vg_node *first = node_of(g, from[i]), *second = node_of(g, to[i]);
        error = first && second ? no_longer(second, first) : cudaErrorInvalidValue;
    }
    return vg_end(ctx, error);
}

/* The graph that a node is in. */
typedef struct search {
    cudaGraphNode_t node;
    struct CUgraph_st *in;
} search;

static void look_in(const void *key, void *value, void *arg) {
    search *s = arg;
    (void)key;
    if (node_of(value, s->node))
        s->in = value;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    search s = {node, NULL};
    if (error == cudaSuccess && node)
        vg_ptrmap_each(&ctx->graphs, look_in, &s);
    if (error == cudaSuccess && !s.in)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        vg_node **at = &s.in->first, *n = node_of(s.in, node);
        while (*at != n)
            at = &(*at)->next;
        *at = n->next;
        if (s.in->end == &n->next)
            s.in->end = at;
        s.in->count--;
        for (vg_node *other = s.in->first; other; other = other->next)
            no_longer(other, n);
        vg_node_drop(n);
        free(n);
    }
    return vg_end(ctx, error);
}

/* ---- other arguments: in a graph, or in what was instantiated of it ---- */

/* The node of this kind in exec that was made from `node`, or, without exec, that node. */
static vg_node *node_to_change(vg_context *ctx, cudaGraphExec_t exec, bool in_exec,
                               cudaGraphNode_t node, enum node_kind kind, cudaError_t *error) {
    *error = vg_ready(ctx);
    vg_node *n = (vg_node *)(void *)node;
    if (in_exec) {
        struct CUgraphExec_st *x = exec ? vg_ptrmap_get(&ctx->graph_execs, exec) : NULL;
        n = x ? vg_node_copy_of(&x->nodes, n) : NULL;
    }
    if (*error == cudaSuccess && (!n || n->kind != kind))
        *error = cudaErrorInvalidValue;
    return *error == cudaSuccess ? n : NULL;
}

static cudaError_t change_kernel(cudaGraphExec_t exec, bool in_exec, cudaGraphNode_t node,
                                 const cudaKernelNodeParams *p) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    vg_node *n = node_to_change(ctx, exec, in_exec, node, NODE_LAUNCH, &error), fresh = {0};
    if (n)
        error = make_kernel(ctx, p, &fresh);
    if (n && error == cudaSuccess) {
        free(n->launch.at);
        n->launch = fresh.launch;
    }
    return vg_end(ctx, error);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *pNodeParams) {
    return change_kernel(graphExec, true, node, pNodeParams);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams *pNodeParams) {
    return change_kernel(NULL, false, node, pNodeParams);
}

/* `fresh` is of the same kind and has no memory of its own. */
static cudaError_t change_simple(cudaGraphExec_t exec, bool in_exec, cudaGraphNode_t node,
                                 bool valid, const vg_node *fresh) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    vg_node *n = node_to_change(ctx, exec, in_exec, node, fresh->kind, &error);
    if (n && !valid)
        error = cudaErrorInvalidValue;
    if (n && valid && n->kind == NODE_SET)
        n->set = fresh->set;
    else if (n && valid && n->kind == NODE_HOST)
        n->host = fresh->host;
    else if (n && valid)
        n->copy = fresh->copy;
    return vg_end(ctx, error);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemsetParams *pNodeParams) {
    vg_node n = {0};
    const bool valid = make_set(pNodeParams, &n);
    return change_simple(NULL, false, node, valid, &n);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                             const cudaMemsetParams *pNodeParams) {
    vg_node n = {0};
    const bool valid = make_set(pNodeParams, &n);
    return change_simple(graphExec, true, node, valid, &n);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const cudaHostNodeParams *pNodeParams) {
    vg_node n = {0};
    const bool valid = make_host(pNodeParams, &n);
    return change_simple(NULL, false, node, valid, &n);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                           const cudaHostNodeParams *pNodeParams) {
    vg_node n = {0};
    const bool valid = make_host(pNodeParams, &n);
    return change_simple(graphExec, true, node, valid, &n);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                           size_t count, enum cudaMemcpyKind kind) {
    vg_node n;
    const bool valid = make_copy(dst, src, count, kind, &n);
    return change_simple(NULL, false, node, valid, &n);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t count,
                                               enum cudaMemcpyKind kind) {
    vg_node n;
    const bool valid = make_copy(dst, src, count, kind, &n);
    return change_simple(graphExec, true, node, valid, &n);
}
