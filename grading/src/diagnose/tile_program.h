/*
 * tile_program.h: a tiled program, one element of C a thread, of which each index may be mixed up;
 * and the product that it gives. What it says in code, with q the phase and e the term in it:
 *
 *     row = BLOCK_Y * T + Y                       col = BLOCK_X * T + X
 *     As[Y][X] = A[BLOCK_Y * T + Y][q * T + X]    Bs[Y][X] = B[q * T + Y][BLOCK_X * T + X]
 *     sum += As[Y][TERM] * Bs[TERM][X]            C[row][col] = sum
 *
 * Each name in capitals is a slot that another name may stand in. What a place of a tile holds
 * depends on the thread that fills it, which is not the one that uses it. It knows no mistake by
 * name: suspect_tiles.c does.
 */
#pragma once

#include "grading/src/run/trial.h"

/* Where a thread and its block are, the number of the term, and nothing: 0. */
enum slot { X, Y, BLOCK_X, BLOCK_Y, TERM, NONE, SLOTS };

/* How a tile moves with the phase. */
enum tile_way {
    WAY_RIGHT,
    WAY_FIRST,         /* not at all */
    WAY_BY_ONE,        /* by one element, not by a tile */
    WAY_TWICE,         /* by two tiles */
    WAY_ASTRAY,        /* by a tile, but A's down and B's to the right */
    WAY_ASTRAY_BY_ONE, /* by one row of A, or one column of B */
    WAY_LATE,          /* what is multiplied belongs to the phase before; the first one twice */
    WAY_EARLY,         /* or to the one behind it */
    WAY_OTHER_ROWS,    /* by a tile of rows, of k elements each: B's have n */
    WAYS
};

/* Moves an index to phase q: along the sum, and beside it. */
void tile_way_move(enum tile_way way, int q, int tile, int *along, int *beside);

/* One matrix on its way into the sums. */
struct tile_copy {
    enum slot block;            /* whose rows of A, or columns of B, are copied */
    enum slot row, col;         /* which element of them */
    bool flipped;               /* thread (x, y) fills [x][y] of the tile, and not [y][x] */
    enum slot use_row, use_col; /* what is multiplied: [use_row][use_col] of the tile */
    enum tile_way way;
};

struct tile_program {
    int tile;     /* T */
    bool guarded; /* zeros where a row or a column does not exist; else an index goes on in the next
                     row, and outside of the matrix nobody knows */
    enum slot row_block, row, col_block, col; /* where the sum is stored: four different slots */
    struct tile_copy a, b;
    bool only_a, only_b; /* both copies go into one array: what is left there is A's, or B's */
};

extern const struct tile_program tile_program_right; /* but for the tile's side */

enum tile_answer { TILE_AGREES, TILE_DIFFERS, TILE_UNKNOWN };

/* Is this what the program leaves in element `at` of C? */
enum tile_answer tile_program_element(const struct tile_program *w, const struct trial *t,
                                      size_t at);
/* Does it explain all shapes without edges that came back, of which one is wrong? */
bool tile_program_explains(const struct tile_program *w, const struct trials *all);
