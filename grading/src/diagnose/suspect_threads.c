/*
 * suspect_threads.c: tiled programs in which a thread's place is mixed up: x for y, or one block's
 * number for the other's.
 *
 *     row = BLOCK_Y * T + Y                  col = BLOCK_X * T + X
 *     As[Y][X] = A[row][q * T + X]           Bs[Y][X] = B[q * T + Y][col]
 *     sum += As[Y][e] * Bs[e][X]             C[row][col] = sum
 *
 * Each name in capitals is a slot. A program differs from the right one in one slot, or in two that
 * are exchanged, and is computed as its threads would: what a place of a tile holds depends on the
 * thread that fills it, which is not the one that uses it. Loads either have a guard, which puts a
 * zero where a row or a column does not exist, or none; then an index goes on in the next row. A
 * tile's side T is not known: the usual ones are tried.
 */
#include "grading/src/diagnose/suspect.h"

/* Where a thread and its block are, in the names of CUDA. */
enum slot { X, Y, BLOCK_X, BLOCK_Y };

struct place {
    enum slot row_block, row, col_block, col;
};

/* One program. `own`: of the element that a thread computes. Of a load only the part that does not
 * move with the phase belongs to a block. */
struct program {
    struct place own;
    enum slot a_block, a_row, a_col; /* A[a_block * T + a_row][q * T + a_col] */
    enum slot b_row, b_block, b_col; /* B[q * T + b_row][b_block * T + b_col] */
    enum slot a_use, b_use;          /* As[a_use][e], Bs[e][b_use] */
};

struct thread {
    int at[4]; /* by slot */
};

/* The element of a matrix, or zero behind a guard. False: outside of it. */
static bool load(const float *x, int rows, int cols, int row, int col, bool guarded, double *to) {
    const int64_t at = (int64_t)row * cols + col;
    *to = 0;
    if (guarded && (row >= rows || col >= cols))
        return true;
    if (row < 0 || at >= (int64_t)rows * cols)
        return false;
    *to = (double)x[at];
    return true;
}

/* The sum that this thread computes; false: it left a matrix. */
static bool compute(const struct program *w, const struct trial *t, int tile, bool guarded,
                    const struct thread *me, double *sum) {
    const struct shape s = t->shape;
    const int phases = (s.k + tile - 1) / tile;
    *sum = 0;
    for (int p = 0; p < phases * tile; p++) {
        const int e = p % tile, from = p - e;
        struct thread fills_a = *me, fills_b = *me;
        double a, b;
        fills_a.at[Y] = me->at[w->a_use];
        fills_a.at[X] = e;
        fills_b.at[Y] = e;
        fills_b.at[X] = me->at[w->b_use];
        if (!load(t->a, s.m, s.k, fills_a.at[w->a_block] * tile + fills_a.at[w->a_row],
                  from + fills_a.at[w->a_col], guarded, &a) ||
            !load(t->b, s.k, s.n, from + fills_b.at[w->b_row],
                  fills_b.at[w->b_block] * tile + fills_b.at[w->b_col], guarded, &b))
            return false;
        *sum += a * b;
    }
    return true;
}

/* The thread that stores element (row, col): a program's own place has four different slots. */
static struct thread storing(const struct program *w, int tile, int row, int col) {
    struct thread me;
    me.at[w->own.row_block] = row / tile;
    me.at[w->own.row] = row % tile;
    me.at[w->own.col_block] = col / tile;
    me.at[w->own.col] = col % tile;
    return me;
}

enum answer { AGREES, DIFFERS, UNKNOWN };

static enum answer element(const struct program *w, const struct trial *t, int tile, bool guarded,
                           size_t at) {
    const int n = t->shape.n;
    const struct thread me = storing(w, tile, (int)(at / (size_t)n), (int)(at % (size_t)n));
    double sum;
    if (trial_untouched(t, at) || !compute(w, t, tile, guarded, &me, &sum))
        return UNKNOWN;
    return sum == (double)t->got[at] ? AGREES : DIFFERS;
}

enum { SAMPLES = 200, FIRST_LOOK = 6 };

/* Most elements can be told and none differs. A few wrong ones are looked at first: most programs
 * are no explanation of those. */
static bool agrees(const struct program *w, const struct trial *t, int tile, bool guarded,
                   int samples) {
    const size_t total = trial_elements(t);
    int known = 0, wrong = 0;
    if (total == 0)
        return false;
    for (size_t at = 0; at < total && trial_wrong(t) && wrong < 4; at++) {
        if (trial_right(t, at))
            continue;
        wrong++;
        if (element(w, t, tile, guarded, at) == DIFFERS)
            return false;
    }
    for (int i = 0; i < samples; i++) {
        const enum answer a =
            element(w, t, tile, guarded, (size_t)((uint64_t)(i + 1) * 2654435761u % total));
        if (a == DIFFERS)
            return false;
        known += a == AGREES;
    }
    return known >= samples / 4;
}

/* Of the shapes without edges all that came back must agree, and one be wrong. */
static bool explains(const struct program *w, const struct trials *all, int tile, bool guarded) {
    bool any = false;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < all->count; i++) {
            const struct trial *t = all->trial[i];
            if (!trial_clean(t) || !t->exact || !t->got)
                continue;
            if (!agrees(w, t, tile, guarded, pass ? SAMPLES : FIRST_LOOK))
                return false;
            any = any || trial_wrong(t);
        }
        if (!any)
            return false;
    }
    return true;
}

/* ---- The slips ---- */

struct slip {
    struct program program;
    const char *class, *words;
};

#define OWN(rb, r, cb, c) .own = {rb, r, cb, c}
#define LOAD_A(b, r, c)   .a_block = (b), .a_row = (r), .a_col = (c)
#define LOAD_B(r, b, c)   .b_row = (r), .b_block = (b), .b_col = (c)
#define USE(a, b)         .a_use = (a), .b_use = (b)

#define ALL_OF_XY                                                                                  \
    "threadIdx.x and threadIdx.y are exchanged: the row comes from x and the column from y, "      \
    "while the tiles are used the other way round. Rows go with y, row = blockIdx.y * TILE + "     \
    "threadIdx.y, and columns with x, in the loads, in the tiles and in the store."
#define LOADS_OF(matrix, wrong, good)                                                              \
    "In the copy of " matrix "'s tile " wrong " stands where " good " belongs. Thread (x, y) "     \
    "copies one element: its row in the tile is threadIdx.y and its column threadIdx.x, in the "   \
    "matrix and in the shared array alike."

/* The more of a program is exchanged at once, the earlier it stands. */
static const struct slip slips[] = {
    {{OWN(BLOCK_Y, X, BLOCK_X, Y), LOAD_A(BLOCK_Y, X, X), LOAD_B(Y, BLOCK_X, Y), USE(Y, X)},
     "x-y-exchanged",
     ALL_OF_XY},
    {{OWN(BLOCK_X, X, BLOCK_Y, Y), LOAD_A(BLOCK_X, X, X), LOAD_B(Y, BLOCK_Y, Y), USE(Y, X)},
     "x-y-exchanged",
     "x and y are exchanged: the row comes from blockIdx.x and threadIdx.x, the column from "
     "blockIdx.y and threadIdx.y, while the tiles are used the other way round. Rows go with y, "
     "row = blockIdx.y * TILE + threadIdx.y, and columns with x."},
    {{OWN(BLOCK_Y, X, BLOCK_X, Y), LOAD_A(BLOCK_Y, Y, X), LOAD_B(Y, BLOCK_X, X), USE(Y, X)},
     "x-y-exchanged",
     "threadIdx.x and threadIdx.y are exchanged in the store: thread (x, y) has computed the "
     "element of row y and column x of its tile, and stores it into row x and column y."},
    {{OWN(BLOCK_Y, Y, BLOCK_X, X), LOAD_A(BLOCK_Y, X, X), LOAD_B(Y, BLOCK_X, X), USE(Y, X)},
     "x-y-exchanged",
     LOADS_OF("A", "threadIdx.x", "threadIdx.y (the row)")},
    {{OWN(BLOCK_Y, Y, BLOCK_X, X), LOAD_A(BLOCK_Y, Y, Y), LOAD_B(Y, BLOCK_X, X), USE(Y, X)},
     "x-y-exchanged",
     LOADS_OF("A", "threadIdx.y", "threadIdx.x (the column)")},
    {{OWN(BLOCK_Y, Y, BLOCK_X, X), LOAD_A(BLOCK_Y, Y, X), LOAD_B(X, BLOCK_X, X), USE(Y, X)},
     "x-y-exchanged",
     LOADS_OF("B", "threadIdx.x", "threadIdx.y (the row)")},
    {{OWN(BLOCK_Y, Y, BLOCK_X, X), LOAD_A(BLOCK_Y, Y, X), LOAD_B(Y, BLOCK_X, Y), USE(Y, X)},
     "x-y-exchanged",
     LOADS_OF("B", "threadIdx.y", "threadIdx.x (the column)")},
    {{OWN(BLOCK_Y, Y, BLOCK_X, X), LOAD_A(BLOCK_Y, Y, X), LOAD_B(Y, BLOCK_X, X), USE(X, X)},
     "x-y-exchanged",
     "Each thread multiplies a row of A's tile that is not its own: the row is threadIdx.y, "
     "As[threadIdx.y][e], and not threadIdx.x."},
    {{OWN(BLOCK_Y, Y, BLOCK_X, X), LOAD_A(BLOCK_Y, Y, X), LOAD_B(Y, BLOCK_X, X), USE(Y, Y)},
     "x-y-exchanged",
     "Each thread multiplies a column of B's tile that is not its own: the column is threadIdx.x, "
     "Bs[e][threadIdx.x], and not threadIdx.y."},
    {{OWN(BLOCK_Y, Y, BLOCK_X, X), LOAD_A(BLOCK_Y, Y, X), LOAD_B(Y, BLOCK_X, X), USE(X, Y)},
     "x-y-exchanged",
     "threadIdx.x and threadIdx.y are exchanged where the tiles are multiplied: a thread's row of "
     "A's tile is As[threadIdx.y][e], its column of B's tile Bs[e][threadIdx.x]."},
    {{OWN(BLOCK_Y, Y, BLOCK_X, X), LOAD_A(BLOCK_X, Y, X), LOAD_B(Y, BLOCK_X, X), USE(Y, X)},
     "x-y-exchanged",
     "A's tile is taken from the rows of another block: its rows begin at blockIdx.y * TILE, and "
     "blockIdx.x stands there."},
    {{OWN(BLOCK_Y, Y, BLOCK_X, X), LOAD_A(BLOCK_Y, Y, X), LOAD_B(Y, BLOCK_Y, X), USE(Y, X)},
     "x-y-exchanged",
     "B's tile is taken from the columns of another block: its columns begin at blockIdx.x * "
     "TILE, and blockIdx.y stands there."},
};

bool suspect_threads(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d) {
    static const int tiles[] = {16, 32, 8, 4};
    if (c->entry != ENTRY_DEVICE && c->entry != ENTRY_HOST)
        return false;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles * 2; i++) {
        const int tile = tiles[i / 2];
        const bool guarded = i % 2 == 0;
        for (size_t j = 0; j < sizeof slips / sizeof *slips; j++) {
            const struct slip *slip = &slips[j];
            if (!explains(&slip->program, all, tile, guarded))
                continue;
            d->class = slip->class;
            text_add(&d->sentence, slip->words);
            const struct trial *t = suspect_best(all, true);
            if (t)
                suspect_example(&d->sentence, t, suspect_element(t, true), NULL);
            text_addf(&d->evidence,
                      "all wrong products of shapes without edges are exactly what such threads "
                      "give with tiles of %d x %d",
                      tile, tile);
            return true;
        }
    }
    return false;
}
