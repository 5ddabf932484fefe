/*
 * board.h: what a leaderboard ranks: bytes moved and bank conflicts for each multiply-add, as the
 * virtual GPU counted them. No clock decides; where a GPU was timed, its time stands beside.
 */
#pragma once

#include "grading/src/run/context.h"

struct board {
    const struct case_result *in; /* the case that was counted */
    double bytes, conflicts;      /* for each multiply-add of its product */
    double seconds;               /* of the timed product, on a GPU; 0: none */
};

/* False: not on the board. On it is who has full marks without a flag, with kernels whose work was
 * counted: not on a CPU, and not with cuBLAS, whose accesses nobody sees. Of the visible cases the
 * one with the largest fixed size counts, else the largest. */
bool board_of(struct board *b, const struct grade_context *g);
