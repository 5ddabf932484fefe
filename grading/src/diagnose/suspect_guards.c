/*
 * suspect_guards.c: a tiled kernel whose copies have conditions too many: a thread that has no
 * element of B to copy, or none of C to compute, leaves out its element of A, which exists, and
 * which other threads of the block need.
 *
 *     if (row < m && q * T + x < k && q * T + y < k && col < n) {    as if there were one edge
 *         As[y][x] = A[...];
 *         Bs[y][x] = B[...];
 *     }
 *
 * Shapes without edges come out right. All others must be what such conditions leave.
 */
#include "grading/src/diagnose/suspect.h"

#include <math.h>

/* The conditions on what a thread copies and computes that belong to the other copy. */
enum { B_ROW = 1, COL = 2, ROW = 1, A_COL = 2, EITHER = 4 };

struct guards {
    int tile;
    int a, b; /* too many for A: B_ROW, COL; for B: ROW, A_COL */
};

/* Does the element of A with column p, in the tile for element (row, col) of C, get into it? */
static bool copies_a(const struct guards *g, const struct trial *t, int row, int col, int p) {
    const int first = p / g->tile * g->tile, block = col / g->tile * g->tile;
    return (!(g->a & B_ROW) || first + row % g->tile < t->shape.k) &&
           (!(g->a & COL) || block + p % g->tile < t->shape.n);
}
static bool copies_b(const struct guards *g, const struct trial *t, int row, int col, int p) {
    const int first = p / g->tile * g->tile, block = row / g->tile * g->tile;
    return (!(g->b & ROW) || block + p % g->tile < t->shape.m) &&
           (!(g->b & A_COL) || first + col % g->tile < t->shape.k);
}

static bool leaves_element(const struct guards *g, const struct trial *t, size_t at) {
    const int n = t->shape.n, k = t->shape.k, row = (int)(at / (size_t)n), col = (int)at % n;
    double sum = 0;
    for (int p = 0; p < k; p++)
        if (copies_a(g, t, row, col, p) && copies_b(g, t, row, col, p))
            sum += (double)t->a[(size_t)row * (size_t)k + (size_t)p] *
                   (double)t->b[(size_t)p * (size_t)n + (size_t)col];
    return sum == (double)t->got[at];
}

/* At most so many elements are looked at in a trial, spread over C, and so many terms in each. */
enum { SAMPLES = 96, MOST_TERMS = 2048 };

static bool explains_trial(const struct guards *g, const struct trial *t) {
    const size_t total = trial_elements(t);
    for (size_t i = 0; i < SAMPLES && i < total; i++)
        if (!leaves_element(g, t, total <= SAMPLES ? i : (i + 1) * 2654435761u % total))
            return false;
    return true;
}

static bool explains(const struct guards *g, const struct trials *all) {
    int wrong = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!t->got || !t->exact || t->shape.k > MOST_TERMS)
            continue;
        if (!explains_trial(g, t))
            return false;
        wrong += t->verdict == VERDICT_WRONG;
    }
    return wrong >= 3;
}

static void say_conditions(struct text *t, int which, const char *first, const char *second) {
    text_addf(t, "%s%s%s", which & 1 ? first : "", which == 3 ? " and " : "",
              which & 2 ? second : "");
}

static void say(const struct guards *g, struct text *t) {
    text_add(t, "A thread leaves out an element that exists, and that others of its block need: ");
    if (g->a) {
        text_add(t, "its element of A is copied only where ");
        say_conditions(t, g->a, "its row of B is below k", "its column of C is below n");
        text_add(t, g->b ? ", and " : "");
    }
    if (g->b) {
        text_add(t, "its element of B is copied only where ");
        say_conditions(t, g->b, "its row of C is below m", "its column of A is below k");
    }
    text_add(t, ". Give each copy a condition of its own, with its own edges alone. A: row < m and "
                "A's column < k. B: B's row < k and col < n.");
}

bool suspect_guards(const struct trials *all, const struct suspect_context *c,
                    struct diagnosis *d) {
    static const int tiles[] = {16, 32, 8, 4, 24, 25, 20, 10};
    if (c->entry == ENTRY_CPU)
        return false;
    for (int i = 0; i < all->count; i++)
        if (!all->trial[i]->got && all->trial[i]->verdict == VERDICT_MEMORY)
            return false; /* a condition too many leads nowhere outside */
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        for (int which = 1; which < EITHER * EITHER; which++) {
            const struct guards g = {tiles[i], which % EITHER, which / EITHER};
            if (!explains(&g, all))
                continue;
            d->class = "guards-joined";
            say(&g, &d->sentence);
            const struct trial *best = suspect_best(all, false);
            if (best)
                suspect_example(&d->sentence, best, suspect_element(best, true), NULL);
            text_addf(&d->evidence,
                      "all products of integers are exactly what such conditions give with tiles "
                      "of %d x %d",
                      g.tile, g.tile);
            return true;
        }
    }
    return false;
}
