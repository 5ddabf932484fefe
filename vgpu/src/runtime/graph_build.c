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
    for (vg_node *n = g->first; n; n = n->next)
        n->placed = false;
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

static cudaError_t add_simple(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                              size_t count, bool valid, vg_node n) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    struct CUgraph_st *g = graph_for(ctx, graph, &error);
    if (g)
        error = valid ? add(g, out, after, count, &n) : cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                     void *dst, const void *src, size_t count,
                                     enum cudaMemcpyKind kind) {
    const vg_node n = {.kind = NODE_COPY,
                       .copy = {.call = "a graph's copy",
                                .to = {VGPU_DESTINATION, dst, count, count},
                                .from = {VGPU_SOURCE, src, count, count},
                                .extent = {count, 1, 1},
                                .kind = kind}};
    return add_simple(pGraphNode, graph, pDependencies, numDependencies,
                      dst && src && (unsigned)kind <= cudaMemcpyDefault, n);
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

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                   const cudaMemsetParams *p) {
    const bool valid = p && p->dst && p->width > 0 && p->height > 0 &&
                       (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4) &&
                       (p->height == 1 || p->pitch >= p->width * p->elementSize);
    vg_node n = {.kind = NODE_SET};
    if (valid) {
        n.set.to = (side){VGPU_DESTINATION, p->dst, p->pitch, 0};
        n.set.extent = (extent){p->width, p->height, 1};
        n.set.value = (int)p->value;
        n.set.element = p->elementSize;
    }
    return add_simple(pGraphNode, graph, pDependencies, numDependencies, valid, n);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                 const cudaHostNodeParams *pNodeParams) {
    vg_node n = {.kind = NODE_HOST};
    if (pNodeParams) {
        n.host.fn = pNodeParams->fn;
        n.host.data = pNodeParams->userData;
    }
    return add_simple(pGraphNode, graph, pDependencies, numDependencies, n.host.fn != NULL, n);
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

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType) {
    static const enum cudaGraphNodeType types[] = {[NODE_LAUNCH] = cudaGraphNodeTypeKernel,
                                                   [NODE_COPY] = cudaGraphNodeTypeMemcpy,
                                                   [NODE_SET] = cudaGraphNodeTypeMemset,
                                                   [NODE_HOST] = cudaGraphNodeTypeHost,
                                                   [NODE_EMPTY] = cudaGraphNodeTypeEmpty};
    if (!node || !pType)
        return vg_remember(cudaErrorInvalidValue);
    *pType = types[((const vg_node *)(const void *)node)->kind];
    return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *pNodeParams) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    struct CUgraphExec_st *x = graphExec ? vg_ptrmap_get(&ctx->graph_execs, graphExec) : NULL;
    vg_node *n = x ? x->nodes.first : NULL, fresh = {0};
    while (n && n->of != (const vg_node *)(const void *)node)
        n = n->next;
    if (error == cudaSuccess && (!n || n->kind != NODE_LAUNCH))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = make_kernel(ctx, pNodeParams, &fresh);
    if (error == cudaSuccess) {
        free(n->launch.at);
        n->launch = fresh.launch;
    }
    return vg_end(ctx, error);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams *pNodeParams) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    vg_node *n = (vg_node *)(void *)node, fresh = {0};
    if (error == cudaSuccess && (!n || n->kind != NODE_LAUNCH))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = make_kernel(ctx, pNodeParams, &fresh);
    if (error == cudaSuccess) {
        free(n->launch.at);
        n->launch = fresh.launch;
    }
    return vg_end(ctx, error);
}
