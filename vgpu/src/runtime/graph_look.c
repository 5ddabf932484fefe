/* graph_look.c: what graphs say of themselves: nodes, edges, arguments; see graph.h. */
#include "vgpu/src/runtime/graph_nodes.h"

#include <string.h>

/* A list that a program asks for, of as many entries as it has room for. */
typedef struct answer {
    cudaGraphNode_t *nodes, *others; /* NULL: the number alone is asked for */
    cudaGraphEdgeData *data;
    size_t room, count;
} answer;

static void put(answer *a, const vg_node *n, const vg_node *other) {
    const size_t i = a->count++;
    if (i >= a->room)
        return;
    if (a->nodes)
        a->nodes[i] = (cudaGraphNode_t)(void *)n;
    if (a->others)
        a->others[i] = (cudaGraphNode_t)(void *)other;
    if (a->data)
        a->data[i] = (cudaGraphEdgeData){0};
}

/* How many there are, or how many the program got. */
static size_t answered(answer *a) {
    if (!a->nodes && !a->others)
        return a->count;
    const size_t got = a->count < a->room ? a->count : a->room;
    while (a->count < a->room)
        put(a, NULL, NULL);
    return got;
}

static const struct CUgraph_st *graph_for(const vg_context *ctx, cudaGraph_t graph) {
    return graph ? vg_ptrmap_get(&ctx->graphs, graph) : NULL;
}

static cudaError_t list_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *num, bool roots) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const struct CUgraph_st *g = graph_for(ctx, graph);
    if (error == cudaSuccess && (!g || !num))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        answer a = {.nodes = nodes, .room = nodes ? *num : 0};
        for (const vg_node *n = g->first; n; n = n->next)
            if (!roots || n->num_after == 0)
                put(&a, n, NULL);
        *num = answered(&a);
    }
    return vg_end(ctx, error);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes) {
    return list_nodes(graph, nodes, numNodes, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes,
                                  size_t *pNumRootNodes) {
    return list_nodes(graph, pRootNodes, pNumRootNodes, true);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edgeData, size_t *numEdges) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const struct CUgraph_st *g = graph_for(ctx, graph);
    if (error == cudaSuccess && (!g || !numEdges || !from != !to))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        answer a = {from, to, edgeData, from ? *numEdges : 0, 0};
        for (const vg_node *n = g->first; n; n = n->next)
            for (size_t i = 0; i < n->num_after; i++)
                put(&a, n->after[i], n);
        *numEdges = answered(&a);
    }
    return vg_end(ctx, error);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                         cudaGraphEdgeData *edgeData, size_t *pNumDependencies) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const vg_node *n = (const vg_node *)(const void *)node;
    if (error == cudaSuccess && (!n || !pNumDependencies))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        answer a = {pDependencies, NULL, edgeData, pDependencies ? *pNumDependencies : 0, 0};
        for (size_t i = 0; i < n->num_after; i++)
            put(&a, n->after[i], NULL);
        *pNumDependencies = answered(&a);
    }
    return vg_end(ctx, error);
}

/* Nodes of all graphs that wait for one; none of another graph does. */
typedef struct waiters {
    const vg_node *on;
    answer a;
} waiters;

static void find_waiters(const void *key, void *value, void *arg) {
    const struct CUgraph_st *g = value;
    waiters *w = arg;
    (void)key;
    for (const vg_node *n = g->first; n; n = n->next)
        for (size_t i = 0; i < n->num_after; i++)
            if (n->after[i] == w->on)
                put(&w->a, n, NULL);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                           cudaGraphEdgeData *edgeData,
                                           size_t *pNumDependentNodes) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (!node || !pNumDependentNodes))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        waiters w = {
            (const vg_node *)(const void *)node,
            {pDependentNodes, NULL, edgeData, pDependentNodes ? *pNumDependentNodes : 0, 0}};
        vg_ptrmap_each(&ctx->graphs, find_waiters, &w);
        *pNumDependentNodes = answered(&w.a);
    }
    return vg_end(ctx, error);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    const struct CUgraph_st *g = graph_for(ctx, clonedGraph);
    vg_node *n =
        g && originalNode ? vg_node_copy_of(g, (const vg_node *)(const void *)originalNode) : NULL;
    if (error == cudaSuccess && (!pNode || !n))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *pNode = (cudaGraphNode_t)(void *)n;
    return vg_end(ctx, error);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *pType) {
    static const enum cudaGraphNodeType types[] = {
        [NODE_LAUNCH] = cudaGraphNodeTypeKernel, [NODE_COPY] = cudaGraphNodeTypeMemcpy,
        [NODE_SET] = cudaGraphNodeTypeMemset,    [NODE_HOST] = cudaGraphNodeTypeHost,
        [NODE_CHILD] = cudaGraphNodeTypeGraph,   [NODE_EMPTY] = cudaGraphNodeTypeEmpty};
    if (!node || !pType)
        return vg_remember(cudaErrorInvalidValue);
    *pType = types[((const vg_node *)(const void *)node)->kind];
    return cudaSuccess;
}

/* The node's own, if it is of this kind. */
static const vg_node *of_kind(cudaGraphNode_t node, enum node_kind kind, const void *params) {
    const vg_node *n = (const vg_node *)(const void *)node;
    return n && params && n->kind == kind ? n : NULL;
}

/* The arguments stay the node's: they are there until it gets others. */
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *pNodeParams) {
    const vg_node *n = of_kind(node, NODE_LAUNCH, pNodeParams);
    if (!n)
        return vg_remember(cudaErrorInvalidValue);
    *pNodeParams = (cudaKernelNodeParams){.func = (void *)n->launch.func,
                                          .gridDim = n->launch.grid,
                                          .blockDim = n->launch.block,
                                          .sharedMemBytes = (unsigned)n->launch.shared,
                                          .kernelParams = n->launch.at};
    return cudaSuccess;
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *pNodeParams) {
    const vg_node *n = of_kind(node, NODE_SET, pNodeParams);
    if (!n)
        return vg_remember(cudaErrorInvalidValue);
    *pNodeParams = (cudaMemsetParams){.dst = (void *)n->set.to.ptr,
                                      .pitch = n->set.to.pitch,
                                      .value = (unsigned)n->set.value,
                                      .elementSize = n->set.element == 0 ? 1 : n->set.element,
                                      .width = n->set.extent.width,
                                      .height = n->set.extent.height};
    return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *pNodeParams) {
    const vg_node *n = of_kind(node, NODE_HOST, pNodeParams);
    if (!n)
        return vg_remember(cudaErrorInvalidValue);
    *pNodeParams = (cudaHostNodeParams){.fn = n->host.fn, .userData = n->host.data};
    return cudaSuccess;
}

/* ---- nodes that do nothing for a while ---- */

static vg_node *enabled_of(vg_context *ctx, cudaGraphExec_t exec, cudaGraphNode_t node,
                           cudaError_t *error) {
    *error = vg_ready(ctx);
    const struct CUgraphExec_st *x = exec ? vg_ptrmap_get(&ctx->graph_execs, exec) : NULL;
    vg_node *n = x && node ? vg_node_copy_of(&x->nodes, (const vg_node *)(const void *)node) : NULL;
    const bool can = n && (n->kind == NODE_LAUNCH || n->kind == NODE_SET || n->kind == NODE_COPY);
    if (*error == cudaSuccess && !can)
        *error = cudaErrorInvalidValue;
    return *error == cudaSuccess ? n : NULL;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                    unsigned int isEnabled) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    vg_node *n = enabled_of(ctx, graphExec, node, &error);
    if (n)
        n->disabled = isEnabled == 0;
    return vg_end(ctx, error);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                    unsigned int *isEnabled) {
    vg_context *ctx = vg_begin();
    cudaError_t error;
    const vg_node *n = enabled_of(ctx, graphExec, node, &error);
    if (n && !isEnabled)
        error = cudaErrorInvalidValue;
    else if (n)
        *isEnabled = !n->disabled;
    return vg_end(ctx, error);
}
