/*
 * graph_nodes.h: what a graph is made of, for capture.c, graph.c and graph_build.c.
 */
#pragma once

#include "vgpu/src/runtime/graph.h"
#include "vgpu/src/runtime/order.h"

enum node_kind { NODE_LAUNCH, NODE_COPY, NODE_SET, NODE_HOST, NODE_CHILD, NODE_EMPTY };

/* What was put on a stream. */
typedef struct vg_node {
    enum node_kind kind;
    union {
        struct {
            const void *func;
            dim3 grid, block;
            size_t shared;
            bool cooperative;
            int count;    /* of arguments */
            void **at;    /* where each is: behind these, in one piece of memory */
            size_t bytes; /* of all of them */
        } launch;
        struct {
            const char *call;
            side to, from;
            extent extent;
            enum cudaMemcpyKind kind;
        } copy;
        struct {
            side to;
            extent extent;
            int value;
            uint32_t element; /* bytes, each of which gets its part of value; 0: one */
        } set;
        struct {
            cudaHostFn_t fn;
            void *data;
        } host;
        struct CUgraph_st *child; /* the node's own copy of a graph */
    };
    struct vg_node *next;
    struct vg_node **after; /* what it waits for */
    size_t num_after;
    const struct vg_node *of; /* a copy: the node it was made from; compared, never followed */
    bool placed;              /* see vg_nodes_order */
    bool disabled;            /* in what is launched: does nothing */
} vg_node;

/* Both a graph and what is made of it to be launched: a list, in order. */
struct CUgraph_st {
    vg_node *first, **end;
    size_t count;
};
struct CUgraphExec_st {
    struct CUgraph_st nodes;
    vg_seen last; /* its launch before: two launches of it are never under way at once */
};

/* Puts a copy of a node at the end; its arguments are the graph's from then on. */
bool vg_nodes_add(struct CUgraph_st *g, const vg_node *from);
/* False: no memory, and nothing to free. */
bool vg_nodes_copy(struct CUgraph_st *to, const struct CUgraph_st *from);
void vg_nodes_free(struct CUgraph_st *g);
/* The node that was added last. */
vg_node *vg_nodes_last(const struct CUgraph_st *g);
/* The node of this graph that was copied from that one; NULL: there is none. */
vg_node *vg_node_copy_of(const struct CUgraph_st *g, const vg_node *original);
/* Puts the nodes in an order that fits all dependencies. False: they have a cycle. */
bool vg_nodes_order(struct CUgraph_st *g);
/* It waits for that one, too. False: no memory. */
bool vg_node_waits(vg_node *n, vg_node *on);
/* Frees what a node has, but not the node. */
void vg_node_drop(vg_node *n);
/* Makes it the launch of a kernel, with a copy of the arguments. */
cudaError_t vg_node_launches(vg_node *n, const void *func, const vg_function *fn, dim3 grid,
                             dim3 block, void *const *args, size_t shared, bool cooperative);

/* The graph and its nodes. */
void vg_graph_free(struct CUgraph_st *g);
/* capture.c: ends all captures. */
void vg_captures_clear(vg_context *ctx);
