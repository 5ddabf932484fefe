/*
 * cfg.h: the flow graph of one function and where its branches' sides meet again.
 *
 * Blocks are maximal runs of instructions that are entered at the top and left at the bottom. The
 * lanes of a warp that part at a branch meet at its immediate post-dominator: the first block that
 * every path from the branch to the function's end goes through.
 *
 * A block that does nothing but end the lanes is no place to meet: lanes that come there are gone
 * at once, and a barrier does not wait for them.
 */
#pragma once

#include "vgpu/src/core/ptx.h"

typedef struct cfg_block {
    int first, end; /* instructions [first, end) */
    int *succ;
    int num_succ; /* blocks it may go to; the function's end is block num_blocks */
    int ipdom;    /* immediate post-dominator; num_blocks: the function's end; -1: none (endless) */
    bool is_join; /* some branch's lanes meet at its top */
} cfg_block;

typedef struct cfg {
    const ptx_instr **instr;
    int num_instrs;
    cfg_block *block; /* num_blocks of them */
    int num_blocks;
    int *block_of; /* of each instruction */
} cfg;

/* How an instruction goes on. */
enum flow {
    FLOW_NEXT,
    FLOW_BRANCH,    /* always to its label            */
    FLOW_BRANCH_IF, /* to its label, or on            */
    FLOW_TABLE,     /* brx.idx: to one of its labels  */
    FLOW_RETURN_IF, /* ret under a guard              */
    FLOW_END        /* ret or exit without a guard    */
};
enum flow cfg_flow(const ptx_instr *in);

/* Builds the graph in the arena. NULL with *astray set to a branch whose label isn't there. */
cfg *cfg_build(vg_arena *arena, const ptx_func *func, const ptx_instr **astray);
/* Index of the block that starts at `label`, or -1. */
int cfg_label(const cfg *g, const char *label);
