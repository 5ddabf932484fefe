/*
 * suspect_sums.c: sums that end or begin at the wrong element, where counting terms does not tell.
 *
 *     ends at a zero         A's row   3  -1   0   5 ...    the terms from the zero on are missing
 *     goes on from a tile    C's row   | s | s | s |          each tile begins with what the one
 *                                        +-->+-->             before has left
 *     goes on in a row       C's row   each element is the sum of the right ones up to it
 *     a term of each tile    p         0 1 2 3 | 4 5 6 7 | ...   without 3, 7, ..., or 0, 4, ...
 *     goes on by blocks      C         a block's next tile begins with the sums of its last one
 *     goes on by threads     C         a thread's next element does, so many elements further on
 *     a later slab           C         rows 0 .. R - 1 right, from row R on wrong: what a second
 *                                      launch, or a block's second tile, computes
 */
#include "grading/src/diagnose/suspect.h"

#include <math.h>

enum { SAMPLES = 300 };

#define EXACT_SUM 16777216.0 /* floats hold every integer as far as here */

static bool usable(const struct trial *t) {
    return trial_wrong(t) && t->exact;
}

/* ---- The first zero ends the sum ---- */

/* The terms before the first p at which this factor is zero. */
static double until_zero(const struct trial *t, size_t at, bool zero_in_b) {
    const size_t n = (size_t)t->shape.n, k = (size_t)t->shape.k;
    double sum = 0;
    for (size_t p = 0; p < k; p++) {
        const double a = (double)t->a[at / n * k + p], b = (double)t->b[p * n + at % n];
        if ((zero_in_b ? b : a) == 0)
            break;
        sum += a * b;
    }
    return sum;
}

/* Holds for all of a sample, and for the first wrong elements; counts those. */
static bool is_until_zero(const struct trial *t, bool in_b, int *wrong) {
    const size_t total = trial_elements(t);
    int seen = 0;
    for (size_t s = 0; s < SAMPLES; s++) {
        const size_t at = (size_t)((uint64_t)(s + 1) * 2654435761u % total);
        if ((double)t->got[at] != until_zero(t, at, in_b))
            return false;
    }
    for (size_t at = 0; at < total && seen < SAMPLES; at++) {
        if (trial_right(t, at))
            continue;
        if ((double)t->got[at] != until_zero(t, at, in_b))
            return false;
        seen++;
    }
    *wrong += seen;
    return true;
}

static bool ends_at_zero(const struct trials *all, bool in_b, struct diagnosis *d) {
    const struct trial *shown = NULL;
    int wrong = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!usable(t))
            continue;
        if (!is_until_zero(t, in_b, &wrong))
            return false;
        shown = shown ? shown : t;
    }
    if (wrong < 8)
        return false;
    d->class = "stops-at-zero";
    text_addf(&d->sentence,
              "Every sum ends at the first zero in %s: the terms after it are missing. A zero "
              "makes only its own term zero, and the sum must go on (continue, not break).",
              in_b ? "the column of B" : "the row of A");
    suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
    text_add(&d->evidence, "all wrong products are the sums of the terms before the first zero");
    return true;
}

/* ---- Sums that go on from tile to tile ---- */

/* In rows: each element is the right one plus the element `step` columns before it; else, rows
 * before it. Whole tiles alone: what is left over at the edge may be computed by other lines. */
static bool goes_on(const struct trial *t, int step, bool in_rows) {
    const int rows = t->shape.m / 16 * 16, cols = t->shape.n / 16 * 16;
    int seen = 0;
    for (int row = in_rows ? 0 : step; row < rows; row++) {
        for (int col = in_rows ? step : 0; col < cols; col++) {
            const double got = (double)trial_got(t, row, col);
            const double before =
                (double)(in_rows ? trial_got(t, row, col - step) : trial_got(t, row - step, col));
            if (fabs(got) > EXACT_SUM || fabs(before) > EXACT_SUM)
                continue;
            if (got - before != trial_want(t, row, col))
                return false;
            seen++;
        }
    }
    return seen >= 8 && (double)trial_got(t, 0, 0) == trial_want(t, 0, 0);
}

static bool carries_tiles(const struct trials *all, int step, bool in_rows, struct diagnosis *d) {
    const struct trial *shown = NULL;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!usable(t) || t->shape.m < 16 || t->shape.n < 16 ||
            (in_rows ? t->shape.n : t->shape.m) < 2 * step)
            continue;
        if (!goes_on(t, step, in_rows))
            return false;
        shown = shown ? shown : t;
    }
    if (!shown)
        return false;
    d->class = "uninitialised-sum";
    text_addf(&d->sentence,
              "The sums are not set to zero for each tile: they go on from the tile %d %s before. "
              "Set every one of them to zero where a tile begins.",
              step, in_rows ? "columns" : "rows");
    suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
    text_addf(&d->evidence, "each element is the right one plus the element %d %s before it", step,
              in_rows ? "columns" : "rows");
    return true;
}

/* ---- Sums that go on within a row, or a column ---- */

static bool runs_on(const struct trial *t, bool in_rows) {
    const int lines = in_rows ? t->shape.m : t->shape.n, length = in_rows ? t->shape.n : t->shape.m;
    for (int line = 0; line < lines; line++) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
            const int row = in_rows ? line : i, col = in_rows ? i : line;
            sum += trial_want(t, row, col);
            if (fabs(sum) > EXACT_SUM)
                break;
            if ((double)trial_got(t, row, col) != sum)
                return false;
        }
    }
    return true;
}

static bool carries_in_lines(const struct trials *all, bool in_rows, struct diagnosis *d) {
    const struct trial *shown = NULL;
    size_t elements = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!usable(t))
            continue;
        if (!runs_on(t, in_rows))
            return false;
        shown = shown ? shown : t;
        elements += trial_elements(t);
    }
    if (!shown || elements < 64)
        return false;
    d->class = "uninitialised-sum";
    text_addf(&d->sentence,
              "The sum is set to zero once for each %s of C, not for each element: it goes on from "
              "the element before. Set it to zero right before the loop over p.",
              in_rows ? "row" : "column");
    suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
    text_addf(&d->evidence, "each element is the sum of all right ones up to it in its %s",
              in_rows ? "row" : "column");
    return true;
}

/* ---- The first or the last term of each tile ---- */

static double without_one(const struct trial *t, size_t at, int tile, bool last) {
    const size_t n = (size_t)t->shape.n;
    const int k = t->shape.k;
    double sum = 0;
    for (int p = 0; p < k; p++)
        if (p % tile != (last ? tile - 1 : 0))
            sum +=
                (double)t->a[at / n * (size_t)k + (size_t)p] * (double)t->b[(size_t)p * n + at % n];
    return sum;
}

/* The same where the last tile may end early, and loses its last term, too. */
static bool lacks_one(const struct trial *t, size_t at, int tile, bool last) {
    const size_t n = (size_t)t->shape.n, k = (size_t)t->shape.k;
    const double sum = without_one(t, at, tile, last), got = (double)t->got[at];
    const double end = (double)t->a[at / n * k + k - 1] * (double)t->b[(k - 1) * n + at % n];
    return got == sum || (last && k % (size_t)tile != 0 && got == sum - end);
}

static bool lacks_terms(const struct trials *all, int tile, bool last, struct diagnosis *d) {
    const struct trial *shown = NULL;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const size_t total = trial_elements(t);
        if (!usable(t) || t->shape.k < 2)
            continue;
        for (size_t s = 0; s < SAMPLES && s < total; s++)
            if (!lacks_one(t, (size_t)((uint64_t)(s + 1) * 2654435761u % total), tile, last))
                return false;
        /* With one tile it would be the sum's own first or last term. */
        shown = !shown && t->shape.k > tile && total > 8 ? t : shown;
    }
    if (!shown)
        return false;
    d->class = last ? "last-term-dropped" : "first-term-dropped";
    text_addf(&d->sentence,
              "The %s term of every tile of %d is missing: the loop over the terms of a tile must "
              "run from 0 to %d.",
              last ? "last" : "first", tile, tile - 1);
    suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
    text_addf(&d->evidence, "all wrong products are the sums without each %d. term of %d",
              last ? tile : 1, tile);
    return true;
}

/* ---- Blocks that go on to further tiles ---- */

/* Tiles are numbered along C's rows; block t % blocks computes tile t, and begins with the sums of
 * tile t - blocks. An element whose earlier one lies outside of C tells nothing. */
static bool kept_by_blocks(const struct trial *t, int rows, int cols) {
    const int64_t m = t->shape.m, n = t->shape.n, across = (n + cols - 1) / cols;
    const uint64_t *w = t->work.of;
    const int64_t blocks = (int64_t)(w[WORK_GRID_X] * w[WORK_GRID_Y] * w[WORK_GRID_Z]);
    int64_t kept = 0;
    if (!t->counted || blocks < 1 || blocks >= across * ((m + rows - 1) / rows))
        return false;
    for (int64_t at = 0; at < m * n; at++) {
        const int64_t row = at / n, col = at % n;
        const int64_t before = row / rows * across + col / cols - blocks;
        const int64_t r = before / across * rows + row % rows;
        const int64_t c = before % across * cols + col % cols;
        const double off = (double)t->got[at] - t->want[at];
        if (before < 0 ? off != 0 : r < m && c < n && off != (double)t->got[r * n + c])
            return false;
        kept += before >= 0 && r < m && c < n;
    }
    return kept >= SAMPLES;
}

static bool carries_in_blocks(const struct trials *all, int rows, int cols, struct diagnosis *d) {
    const struct trial *shown = NULL;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!usable(t))
            continue;
        if (!kept_by_blocks(t, rows, cols))
            return false;
        shown = shown ? shown : t;
    }
    if (!shown)
        return false;
    d->class = "uninitialised-sum";
    text_addf(&d->sentence,
              "The sums are not set to zero for each tile of C: a block that goes on to another "
              "tile of %d x %d begins there with the sums of the one before. Set them to zero "
              "where a tile begins.",
              rows, cols);
    suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
    text_add(&d->evidence, "each block's first tile is right, and its next ones are the right ones "
                           "plus the tile before");
    return true;
}

/* ---- Threads that go on to further elements ---- */

/* Is each wrong element the right one plus the element `step` before it? */
static bool kept_by_threads(const struct trial *t, size_t step) {
    int seen = 0;
    for (size_t at = 0; at < trial_elements(t); at++) {
        if (trial_right(t, at))
            continue;
        if (at < step)
            return false;
        const double before = (double)t->got[at - step], got = (double)t->got[at];
        if (fabs(got) > EXACT_SUM || fabs(before) > EXACT_SUM)
            continue;
        if (got - before != t->want[at])
            return false;
        seen++;
    }
    return seen >= 8;
}

/* How many elements further on a thread's next one is; 0: it is not so. What the first wrong
 * element has too much is an earlier one. */
static size_t step_of_threads(const struct trial *t) {
    size_t first = 0;
    int tried = 0;
    while (first < trial_elements(t) && trial_right(t, first))
        first++;
    if (first == trial_elements(t))
        return 0;
    const double off = (double)t->got[first] - t->want[first];
    for (size_t at = 0; at < first && off != 0; at++)
        if ((double)t->got[at] == off && ++tried <= SAMPLES && kept_by_threads(t, first - at))
            return first - at;
    return 0;
}

static bool carries_in_threads(const struct trials *all, struct diagnosis *d) {
    const struct trial *shown = NULL;
    size_t step = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const size_t found = usable(t) ? step_of_threads(t) : 0;
        if (usable(t) && found == 0)
            return false;
        shown = usable(t) ? t : shown;
        step = usable(t) ? found : step;
    }
    if (!shown)
        return false;
    d->class = "uninitialised-sum";
    text_addf(&d->sentence,
              "The sum is not set to zero for each element: a thread that goes on to another one, "
              "%zu elements further on in C, begins there with the sum that it has. Set it to zero "
              "right before the loop over p, inside the loop over elements.",
              step);
    suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
    text_addf(&d->evidence, "each wrong element is the right one plus the element %zu before it",
              step);
    return true;
}

/* ---- A later slab of rows, or of columns ---- */

/* The first wrong row, or column, if all before it are right, and from it on most lines and most
 * elements are wrong; else 0. A corner of C is no slab. */
static int wrong_from(const struct trial *t, bool columns) {
    const int lines = columns ? t->shape.n : t->shape.m, across = columns ? t->shape.m : t->shape.n;
    int first = 0, right = 0;
    int64_t wrong = 0;
    for (int line = 0; line < lines; line++) {
        int64_t here = 0;
        for (int at = 0; at < across; at++)
            here += !trial_right(t, columns ? (size_t)at * (size_t)lines + (size_t)line
                                            : (size_t)line * (size_t)across + (size_t)at);
        if (here > 0 && line == 0)
            return 0;
        if (here > 0 && first == 0)
            first = line;
        wrong += here;
        right += here == 0 && first > 0;
    }
    const int rest = lines - first;
    return first > 0 && right <= rest / 2 && wrong > (int64_t)rest * across / 2 ? first : 0;
}

enum { LEAST_SLAB = 1024 };

static bool slabs(const struct trials *all, bool columns, struct diagnosis *d) {
    const struct trial *shown = NULL;
    int first = 0, right = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (t->verdict == VERDICT_PASS) {
            right++;
            continue;
        }
        if (!trial_wrong(t) || (first = wrong_from(t, columns)) < LEAST_SLAB)
            return false;
        shown = t;
    }
    if (!shown || right < 4)
        return false;
    d->class = "slab-wrong";
    text_addf(&d->sentence,
              "With %d %s, C is right as far as %s %d, and wrong from there on: that is where a "
              "second launch takes over, or blocks begin a second tile. There, everything must "
              "start afresh: %s, the number of %s left, and each sum at zero.",
              columns ? shown->shape.n : shown->shape.m, columns ? "columns" : "rows",
              columns ? "column" : "row", first - 1,
              columns ? "B + first and C + first (A stays as it is)"
                      : "A + first * k and C + first * n (B stays as it is)",
              columns ? "columns" : "rows");
    suspect_example(&d->sentence, shown, suspect_element(shown, false), NULL);
    text_addf(&d->evidence, "%d shapes right; the %s from %d on wrong in one of %d", right,
              columns ? "columns" : "rows", first, columns ? shown->shape.n : shown->shape.m);
    return true;
}

bool suspect_slabs(const struct trials *all, const struct suspect_context *c, struct diagnosis *d) {
    (void)c;
    return slabs(all, false, d) || slabs(all, true, d);
}

bool suspect_sums(const struct trials *all, const struct suspect_context *c, struct diagnosis *d) {
    static const int tiles[] = {16, 32, 8, 4, 64, 128, 256};
    enum { TILES = sizeof tiles / sizeof *tiles };
    if (ends_at_zero(all, false, d) || ends_at_zero(all, true, d) ||
        carries_in_lines(all, true, d) || carries_in_lines(all, false, d))
        return true;
    for (int step = 2; step <= 128; step *= 2)
        if (carries_tiles(all, step, true, d) || carries_tiles(all, step, false, d))
            return true;
    for (int i = 0; i < TILES; i++)
        if (lacks_terms(all, tiles[i], true, d) || lacks_terms(all, tiles[i], false, d))
            return true;
    for (int i = 0; i < TILES * TILES && c->entry != ENTRY_CPU; i++)
        if (carries_in_blocks(all, tiles[i / TILES], tiles[i % TILES], d))
            return true;
    return carries_in_threads(all, d);
}
