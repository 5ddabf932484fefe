/*
 * register_program.h: a tiled program whose threads compute several elements of C each, of which
 * one index may be mixed up; and the product that it gives. What the right one says in code:
 *
 *     for (at = thread; at < BM * BK; at += threads)        the same for B with BN
 *         As[at / BK][at % BK] = A[first_row + at / BK][q * BK + at % BK]
 *     a[i] = As[row(ty, i)][e]     b[j] = Bs[e][col(tx, j)]
 *     sum[i][j] += a[i] * b[j]
 *     C[first_row + row(ty, i)][first_col + col(tx, j)] = sum[i][j]
 *
 * row(ty, i) is ty + i * (BM / TM), like a stamp, or ty * TM + i, side by side; col likewise. Where
 * a row or a column does not exist, a zero is loaded and nothing is stored.
 */
#pragma once

#include "grading/src/diagnose/tile_program.h"

enum order { STAMP, SIDE_BY_SIDE };

/* What an operand is read by: the thread's place and the number of the element, or less. */
enum operand {
    BY_OWN,
    BY_OTHER_PLACE,
    BY_OTHER_NUMBER,
    WITHOUT_NUMBER,
    WITHOUT_PLACE,
    WITHOUT_TERM
};

/* How a copy's number `at` becomes a row and a column of the slab in the matrix: by the slab's own
 * row length, by the other slab's, and with / and % exchanged; or rightly, while the slab itself is
 * filled along its columns. */
enum cutting { OWN_LENGTH, OWN_EXCHANGED, OTHER_LENGTH, OTHER_EXCHANGED, SLAB_BY_COLUMNS };

struct register_copy {
    bool no_block; /* the block's first row, or column, is left out */
    enum cutting cutting;
    enum operand operand;
    enum tile_way way;
};

struct register_program {
    int bm, bn, bk, tm, tn;
    enum order rows, cols; /* in which the operands are read */
    enum order rows_stored, cols_stored;
    bool sums_exchanged; /* sum[j][i] for sum[i][j] */
    struct register_copy a, b;
};

/* Could blocks of such a program have run for these trials? */
bool register_program_fits(const struct register_program *w, const struct trials *all);
/* Does it explain all shapes without edges that came back, of which one is wrong? */
bool register_program_explains(const struct register_program *w, const struct trials *all);
