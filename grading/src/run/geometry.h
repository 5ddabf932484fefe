/*
 * geometry.h: what blocks a submission launches, asked before its cases are drawn.
 *
 * Labs of square tiles are promised multiples of the tile, and the tile is the student's choice;
 * and how many rows are more than one grid covers depends on the rows of a block. One call of its
 * own on the virtual GPU tells; it earns no points, and no report tells of it. The same file gives
 * the same answer with any seed and case.
 */
#pragma once

#include "grading/src/run/context.h"

/* The tile in which a lab of square tiles is asked: the lab's own, wherever the submission's tile
 * divides it; else the multiple of the submission's that comes nearest. */
int geometry_tile(struct grade_context *g);

/* The rows of C that a block computes, for cases of very many rows: at most 64, since the matrices
 * grow with it. The lab's own where blocks do not lie along y. `across`: it is columns for which
 * they lie there, and there are to be very many of those. */
int geometry_block_rows(struct grade_context *g, bool *across);
