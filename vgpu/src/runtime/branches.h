/*
 * branches.h: the branches of a graph that is being launched. Nodes that do not wait for each other
 * are work of several streams to those who look for races; a node goes on in the branch of one that
 * it waits for, where none has gone on yet.
 *
 *     A - B - D        A, B, D  the stream's own lane
 *      \     /         C        a branch: sees A, and D sees it
 *       - C -
 *
 * Contract: without the context's lock; one launch is of one thread.
 */
#pragma once

#include "vgpu/src/runtime/graph_nodes.h"
#include "vgpu/src/runtime/order.h"

typedef struct vg_branches vg_branches;

/* NULL: the nodes are a chain (or memory is out: they count as one). */
vg_branches *vg_branches_begin(const struct CUgraphExec_st *x, cudaStream_t stream);
/* Around what node `i` (from 0, in the graph's order) puts on the stream. NULL is none. */
void vg_branches_enter(vg_branches *b, size_t i);
void vg_branches_leave(vg_branches *b, size_t i);
/* The stream waits for all of them; frees. */
void vg_branches_end(vg_branches *b);
