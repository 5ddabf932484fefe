/* branches.c: a lane of the order for each branch of a graph; see branches.h. */
#include "vgpu/src/runtime/branches.h"

#include <stdlib.h>

/* A node, while the graph runs. */
typedef struct step {
    const vg_node *node;
    cudaStream_t lane;
    bool continued; /* a later node took over its lane */
    vg_seen seen;   /* what comes after the node sees */
} step;

struct vg_branches {
    cudaStream_t stream;
    vg_seen before; /* what the graph as a whole comes after */
    size_t count, lanes;
    char *names; /* the addresses name the lanes: as many as there are nodes */
    step *steps;
};

static bool is_chain(const struct CUgraph_st *g) {
    const vg_node *last = NULL;
    for (const vg_node *n = g->first; n != NULL; last = n, n = n->next) {
        bool follows = last == NULL;
        for (size_t i = 0; i < n->num_after; i++)
            follows |= n->after[i] == last;
        if (!follows)
            return false;
    }
    return true;
}

vg_branches *vg_branches_begin(const struct CUgraphExec_st *x, cudaStream_t stream) {
    if (is_chain(&x->nodes))
        return NULL;
    vg_branches *b = calloc(1, sizeof *b);
    step *steps = calloc(x->nodes.count, sizeof *steps);
    char *names = malloc(x->nodes.count);
    if (b == NULL || steps == NULL || names == NULL) {
        free(b);
        free(steps);
        free(names);
        return NULL;
    }
    *b = (vg_branches){.stream = stream, .names = names, .steps = steps};
    for (const vg_node *n = x->nodes.first; n != NULL; n = n->next)
        steps[b->count++].node = n;
    vg_context *ctx = vg_begin();
    vg_order_record(ctx, stream, &b->before);
    vg_end_quietly(ctx);
    return b;
}

static step *step_of(const vg_branches *b, const vg_node *n) {
    step *s = b->steps;
    while (s->node != n)
        s++;
    return s;
}

void vg_branches_enter(vg_branches *b, size_t i) {
    if (b == NULL)
        return;
    step *now = &b->steps[i];
    const vg_node *n = now->node;
    vg_context *ctx = vg_begin();
    for (size_t k = 0; k < n->num_after && now->lane == NULL; k++) {
        step *before = step_of(b, n->after[k]);
        if (!before->continued) {
            before->continued = true;
            now->lane = before->lane;
        }
    }
    if (now->lane == NULL) {
        now->lane = (cudaStream_t)(void *)&b->names[b->lanes++];
        vg_order_branch(ctx, now->lane, &b->before);
    }
    for (size_t k = 0; k < n->num_after; k++)
        vg_order_joins(ctx, now->lane, &step_of(b, n->after[k])->seen);
    vg_end_quietly(ctx);
    vg_order_instead(b->stream, now->lane);
}

void vg_branches_leave(vg_branches *b, size_t i) {
    if (b == NULL)
        return;
    vg_order_instead(NULL, NULL);
    vg_context *ctx = vg_begin();
    vg_order_record(ctx, b->steps[i].lane, &b->steps[i].seen);
    vg_end_quietly(ctx);
}

void vg_branches_end(vg_branches *b) {
    if (b == NULL)
        return;
    vg_context *ctx = vg_begin();
    for (size_t i = 0; i < b->count; i++) {
        vg_order_joins(ctx, b->stream, &b->steps[i].seen);
        vg_seen_free(&b->steps[i].seen);
    }
    for (size_t i = 0; i < b->lanes; i++)
        vg_order_forget(ctx, (cudaStream_t)(void *)&b->names[i]);
    vg_end_quietly(ctx);
    vg_seen_free(&b->before);
    free(b->names);
    free(b->steps);
    free(b);
}
