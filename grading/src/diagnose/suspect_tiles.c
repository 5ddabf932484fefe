/*
 * suspect_tiles.c: tiled programs with one index of a tile mixed up.
 *
 * Element (by * T + ty, bx * T + tx) of C is summed over phases q and the tile's terms e:
 *
 *                 right                        used transposed              wrong phase
 *     A           A[by T + ty][q T + e]        A[by T + e][q T + ty]        A[..][e], A[..][q + e]
 *     B           B[q T + e][bx T + tx]        B[q T + tx][bx T + e]        B[e][..], B[q + e][..]
 *
 *                 moves the wrong way: each phase goes on by
 *     A           T rows down, not T columns to the right
 *     B           T elements to the right, not T rows down
 *
 *                 comes late, or early: in phase q the tile is multiplied that belongs to
 *                 phase q - 1 (the first one twice), or q + 1 (behind the last one zeros)
 *
 * and is stored at its place, or at that of block (bx, by). T is not known: the usual ones are
 * tried.
 */
#include "grading/src/diagnose/suspect.h"

enum tile_way {
    WAY_RIGHT,
    WAY_TRANSPOSED,
    WAY_FIRST,
    WAY_BY_ONE,
    WAY_ASTRAY,
    WAY_LATE,
    WAY_EARLY,
    WAY_COUNT
};

struct tiling {
    int tile;
    enum tile_way a, b;
    bool blocks_swapped; /* stored at the place of block (bx, by) */
    bool rows_swapped;   /* A's rows are taken by bx, B's columns by by */
};

/* The column of A, or row of B, that is multiplied as term e of phase q. */
static int term(enum tile_way way, int T, int q, int e) {
    switch (way) {
    case WAY_FIRST: return e;
    case WAY_BY_ONE: return q + e;
    case WAY_LATE: return (q > 0 ? q - 1 : 0) * T + e;
    case WAY_EARLY: return (q + 1) * T + e;
    default: return q * T + e;
    }
}

/* What belongs at (row, col), by this program; false when it would leave a matrix. */
static bool product(const struct tiling *w, const struct trial *t, int row, int col, double *sum) {
    const struct shape s = t->shape;
    const int T = w->tile, ty = row % T, tx = col % T;
    int by = row / T, bx = col / T;
    if (w->blocks_swapped || w->rows_swapped) {
        const int swap = by;
        by = bx;
        bx = swap;
    }
    *sum = 0;
    for (int p = 0; p < s.k; p++) {
        const int q = p / T, e = p % T;
        int ar = by * T + ty, ac = term(w->a, T, q, e);
        int br = term(w->b, T, q, e), bc = bx * T + tx;
        if (w->a == WAY_TRANSPOSED)
            ar = by * T + e, ac = q * T + ty;
        if (w->b == WAY_TRANSPOSED)
            br = q * T + tx, bc = bx * T + e;
        if ((w->a == WAY_EARLY && ac >= s.k) || (w->b == WAY_EARLY && br >= s.k))
            continue; /* read ahead of a phase that there is not: a guard stored a zero */
        if (w->a == WAY_ASTRAY) {
            ar += q * T, ac = e;
            if (ar >= s.m) /* what came back did not read there: a guard stored a zero */
                continue;
        }
        if (w->b == WAY_ASTRAY) { /* beyond the row's end the next one begins */
            br = e + (bc + q * T) / s.n;
            bc = (bc + q * T) % s.n;
        }
        if (ar >= s.m || ac >= s.k || br >= s.k || bc >= s.n)
            return false;
        *sum += (double)t->a[(size_t)ar * (size_t)s.k + (size_t)ac] *
                (double)t->b[(size_t)br * (size_t)s.n + (size_t)bc];
    }
    return true;
}

static bool agrees(const struct tiling *w, const struct trial *t, int samples) {
    const size_t total = trial_elements(t);
    int known = 0;
    for (int i = 0; i < samples; i++) {
        const size_t at = (size_t)((uint64_t)(i + 1) * 2654435761u % total);
        double sum;
        if (!product(w, t, (int)(at / (size_t)t->shape.n), (int)(at % (size_t)t->shape.n), &sum))
            continue;
        known++;
        if (sum != (double)t->got[at])
            return false;
    }
    for (size_t at = 0; at < total && trial_wrong(t); at++) { /* at least one that is wrong */
        double sum;
        if (trial_right(t, at))
            continue;
        return known >= samples / 4 &&
               product(w, t, (int)(at / (size_t)t->shape.n), (int)(at % (size_t)t->shape.n),
                       &sum) &&
               sum == (double)t->got[at];
    }
    return known >= samples / 4;
}

/* All clean trials that came back; all must agree, and at least one be wrong. */
static bool explains(const struct tiling *w, const struct trials *all) {
    bool any = false;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < all->count; i++) {
            const struct trial *t = all->trial[i];
            if (!trial_clean(t) || !t->exact || !t->got)
                continue;
            if (!agrees(w, t, pass ? 300 : 8))
                return false;
            any = any || trial_wrong(t);
        }
        if (!any)
            return false;
    }
    return true;
}

static bool of_another_phase(enum tile_way way) {
    return way == WAY_LATE || way == WAY_EARLY;
}

static const char *class_of(const struct tiling *w) {
    if (w->blocks_swapped || w->rows_swapped)
        return w->a == WAY_RIGHT && w->b == WAY_RIGHT ? "transposed-C" : NULL;
    if (of_another_phase(w->a) || of_another_phase(w->b))
        return w->a == WAY_TRANSPOSED || w->b == WAY_TRANSPOSED ? NULL : "phase-wrong";
    if (w->b == WAY_RIGHT)
        return w->a == WAY_TRANSPOSED ? "transposed-A" : "index-wrong";
    if (w->a == WAY_RIGHT)
        return w->b == WAY_TRANSPOSED ? "transposed-B" : "index-wrong";
    return w->a == WAY_TRANSPOSED || w->b == WAY_TRANSPOSED ? NULL : "index-wrong";
}

static void say(struct text *t, const struct tiling *w) {
    if (w->blocks_swapped || w->rows_swapped)
        text_add(t,
                 "The blocks are in each other's place: the tile of block (x, y) lands where that "
                 "of block (y, x) belongs. Rows go with blockIdx.y, columns with blockIdx.x, when "
                 "loading and when storing.");
    if (w->a == WAY_TRANSPOSED || w->b == WAY_TRANSPOSED)
        text_addf(
            t,
            "%sInside each tile of %d x %d, %s used transposed: two indices have changed places, "
            "in the matrix that is copied from, or in the shared array, when storing into it or "
            "when reading.",
            t->length > 0 ? " " : "", w->tile, w->tile,
            w->b != WAY_TRANSPOSED   ? "A is"
            : w->a != WAY_TRANSPOSED ? "B is"
                                     : "A and B are");
    for (int i = 0; i < 2; i++) {
        const enum tile_way way = i ? w->b : w->a;
        if (t->length > 0 && way != WAY_RIGHT && way != WAY_TRANSPOSED)
            text_add(t, " ");
        if (way == WAY_FIRST)
            text_addf(
                t,
                "Every phase loads the first tile of %c: the tile's start has to move on with "
                "the phase.",
                "AB"[i]);
        else if (way == WAY_BY_ONE)
            text_addf(
                t,
                "The tile of %c moves on by one element in each phase: it has to move on by a "
                "whole tile (phase * %d).",
                "AB"[i], w -> tile);
        else if (way == WAY_LATE || way == WAY_EARLY)
            text_addf(t,
                      "%c's tile of phase q is not the one that is multiplied in phase q, but that "
                      "of the phase %s: what is read ahead belongs to the next phase, and what is "
                      "multiplied must be the tile (or the buffer) that was filled for this one.",
                      "AB"[i], way == WAY_LATE ? "before" : "behind it");
        else if (way == WAY_ASTRAY && i == 0)
            text_add(t,
                     "The tile of A moves down from phase to phase: it has to move to the right, "
                     "by a tile's columns.");
        else if (way == WAY_ASTRAY)
            text_add(t, "The tile of B moves to the right from phase to phase: it has to move "
                        "down, by a tile's rows, each of them n elements: (phase * TILE + "
                        "threadIdx.y) * n, with the brackets.");
    }
}

bool suspect_tiles(const struct trials *all, const struct suspect_context *c, struct diagnosis *d) {
    static const int tiles[] = {16, 32, 8, 4, 64, 2};
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        for (int way = 1; way < 3 * WAY_COUNT * WAY_COUNT; way++) {
            const int blocks = way / (WAY_COUNT * WAY_COUNT);
            const struct tiling w = {.tile = tiles[i],
                                     .a = (enum tile_way)(way % WAY_COUNT),
                                     .b = (enum tile_way)(way / WAY_COUNT % WAY_COUNT),
                                     .blocks_swapped = blocks == 1,
                                     .rows_swapped = blocks == 2};
            if (!explains(&w, all))
                continue;
            d->class = class_of(&w);
            if (c->entry == ENTRY_CPU && w.a == WAY_FIRST && w.b == WAY_FIRST) {
                d->class = "index-overflow";
                text_addf(
                    &d->sentence,
                    "The loop's variable begins again after %d terms: it has too few bits, or "
                    "is cut off. Use int for sizes and size_t for indices.",
                    w.tile);
            } else {
                say(&d->sentence, &w);
            }
            const struct trial *t = suspect_best(all, true);
            if (t)
                suspect_example(&d->sentence, t, suspect_element(t, true), NULL);
            text_addf(&d->evidence,
                      "all wrong products of shapes without edges are exactly what such a "
                      "program with tiles of %d x %d gives",
                      w.tile, w.tile);
            return true;
        }
    }
    return false;
}
