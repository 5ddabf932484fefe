/*
 * structured.h: probes with structured contents, which tell for every element of C at once from
 * which rows of A and columns of B its terms come, and whether A's and B's terms meet as they
 * should. So a product that no suspect explains can still be said to go wrong on A's way, on B's
 * way, or where sums are stored.
 *
 * A product is linear in A and in B. With B all ones, and A holding the numbers of its rows, an
 * element of C is the sum of the rows that its terms come from; with other numbers for the rows,
 * too, one row alone can have given both sums. The same goes for columns and for p. With one row of
 * B ones and all others zero, A's element that meets it stands in C by itself.
 *
 * All sentences tell what these sums are; none says which line is to blame, since many may be. No
 * class without exact results for every element.
 */
#pragma once

#include "grading/src/diagnose/suspect.h"

/* The sides of the cubes that are probed: one large enough to have no edge for any lab's blocks,
 * and one whose rows begin at no multiple of 16 bytes. */
#define STRUCTURED_SIDES                                                                           \
    { 128, 125 }
#define STRUCTURED_MOST 128

enum structured_probe {
    STRUCTURED_ANY,       /* any small integers: is this product wrong at all? */
    STRUCTURED_ONES,      /* how many terms */
    STRUCTURED_A_ROWS,    /* of A: the rows' numbers, */
    STRUCTURED_A_ROWS_2,  /* and others for them */
    STRUCTURED_A_TERMS,   /* of A: numbers for the columns, p, */
    STRUCTURED_A_TERMS_2, /* and others */
    STRUCTURED_B_COLS,
    STRUCTURED_B_COLS_2,
    STRUCTURED_B_TERMS,
    STRUCTURED_B_TERMS_2,
    STRUCTURED_PAIRS,      /* numbers for p in both */
    STRUCTURED_MEETS_B,    /* ones in one row of B: how many elements of A meet it, */
    STRUCTURED_MEETS_B_AT, /* in which row of A */
    STRUCTURED_MEETS_B_P,  /* and in which column */
    STRUCTURED_MEETS_A,    /* the same for one column of A */
    STRUCTURED_MEETS_A_P,
    STRUCTURED_MEETS_A_AT,
    STRUCTURED_PROBES
};

/* A's and B's contents for a probe: side x side elements each. Not for STRUCTURED_ANY. */
void structured_fill(enum structured_probe which, int side, float *a, float *b);

/* From the results of all probes: where the mistake is. False: nothing exact can be said. */
bool structured_judge(const struct trial *const probes[STRUCTURED_PROBES], struct diagnosis *d);
