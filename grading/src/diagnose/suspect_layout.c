/* suspect_layout.c: a matrix that lies transposed, or with padding, taken for one that does not
 * (see suspect.h). */
#include "grading/src/diagnose/suspect.h"

#include "common/matrix.h"
#include "common/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a program reads that takes the memory of this matrix, transposed, for its rows: the same
 * numbers in the order in which they lie. With padding, NaNs are among them. */
static float *as_it_lies(const float *rows_of, int rows, int cols, int padding) {
    const struct layout padded = {.padding = padding};
    const size_t count = layout_count(padded, rows, cols);
    float *lies = xmalloc(count * sizeof *lies);
    if (padding > 0) {
        fill_value(lies, count, NAN);
        matrix_spread(lies, rows_of, rows, cols, padding);
    } else {
        matrix_transpose(lies, rows_of, rows, cols);
    }
    return lies;
}

/* Is this the product of a and b, to the last digit? *differs, unless NULL, becomes true where that
 * is not the right one. */
static bool multiplies_to(const struct trial *t, const float *a, const float *b, bool *differs) {
    const struct shape s = t->shape;
    const size_t total = trial_elements(t);
    double *would = xmalloc(total * sizeof *would);
    bool same = reference_product(s.m, s.n, s.k, a, b, would, REFERENCE_OWN, 0) == 0;
    for (size_t i = 0; same && i < total; i++) {
        same = (double)t->got[i] == would[i] || (isnan(t->got[i]) && isnan(would[i]));
        if (differs)
            *differs = *differs || would[i] != t->want[i];
    }
    free(would);
    return same;
}

/* Is this what comes of taking A, or B, or both, row by row? Where the right product comes of it,
 * too (a single row), that says nothing. */
static bool explains(const struct trial *t, bool a_taken, bool b_taken, bool *differs) {
    const struct shape s = t->shape;
    float *a = a_taken ? as_it_lies(t->a, s.m, s.k, t->layout.padding) : t->a;
    float *b = b_taken ? as_it_lies(t->b, s.k, s.n, t->layout.padding) : t->b;
    const bool same = multiplies_to(t, a, b, differs);
    if (a_taken)
        free(a);
    if (b_taken)
        free(b);
    return same;
}

static bool explains_all(const struct trials *all, bool a_taken, bool b_taken) {
    bool differs = false;
    int explained = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!t->got || !t->exact)
            continue;
        if (!explains(t, a_taken, b_taken, &differs))
            return false;
        explained += t->verdict == VERDICT_WRONG;
    }
    return differs && explained > 0;
}

/* Was something written behind a row of C? */
static const struct trial *wrote_padding(const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const int64_t end = (int64_t)layout_count(t->layout, t->shape.m, t->shape.n);
        if (t->touched.how == TOUCHED_OUTSIDE && t->touched.written &&
            t->touched.matrix == MATRIX_C && t->touched.index >= 0 && t->touched.index < end)
            return t;
    }
    return NULL;
}

/* C has one row in some of them, and behind it something is written: that is no row of C. */
static const struct trial *wrote_behind_one_row(const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const struct trials one = {.trial = {all->trial[i]}, .count = 1};
        if (all->trial[i]->shape.m == 1 && wrote_padding(&one))
            return all->trial[i];
    }
    return NULL;
}

/* Squares of several rows are right: rows are found there, by the side of another matrix. */
static bool right_for_squares(const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const struct shape s = all->trial[i]->shape;
        if (s.m > 1 && s.m == s.n && s.n == s.k && all->trial[i]->verdict == VERDICT_PASS)
            return true;
    }
    return false;
}

static bool say_written(const struct trial *t, enum entry_point entry, struct diagnosis *d) {
    static const char *const cure[] = {
        [ENTRY_CPU] = "Loops over a row of C, those that set it to zero too, end before column n.",
        [ENTRY_HOST] =
            ("Copy the rows of C back and nothing else, n * sizeof(float) bytes of each: "
             "cudaMemcpy2D does that, and cudaMemcpy copies what lies between them, "
             "too."),
        [ENTRY_DEVICE] = "A thread stores only where its column is below n, whatever lies behind.",
    };
    d->class = "padding-written";
    text_addf(&d->sentence,
              "In this lab %d floats that belong to others lie behind each row, and the program "
              "writes to them: with m = %d and n = %d, to C[%lld]. %s",
              t->layout.padding, t->shape.m, t->shape.n, (long long)t->touched.index, cure[entry]);
    text_add(&d->evidence, "it is so where C has one row, which begins where it should");
    return true;
}

/* B as it is found by who takes the right step from row to row of a tile, and from tile to tile the
 * step that it has without padding. */
static float *as_stepped(const struct trial *t, int tile) {
    const int k = t->shape.k, n = t->shape.n, apart = n + t->layout.padding;
    float *lies = as_it_lies(t->b, k, n, t->layout.padding);
    float *found = xmalloc((size_t)k * (size_t)n * sizeof *found);
    for (int p = 0; p < k; p++)
        for (int j = 0; j < n; j++)
            found[(size_t)p * (size_t)n + (size_t)j] =
                lies[(size_t)(p / tile) * (size_t)tile * (size_t)n +
                     (size_t)(p % tile) * (size_t)apart + (size_t)j];
    free(lies);
    return found;
}

static bool explains_step(const struct trials *all, int tile) {
    int explained = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!t->got || !t->exact)
            continue;
        float *b = as_stepped(t, tile);
        const bool same = multiplies_to(t, t->a, b, NULL);
        free(b);
        if (!same)
            return false;
        explained += t->verdict == VERDICT_WRONG && t->shape.k > tile;
    }
    return explained > 0;
}

static bool suspect_step(const struct trials *all, int padding, struct diagnosis *d) {
    static const int tiles[] = {8, 16, 32};
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        if (!explains_step(all, tiles[i]))
            continue;
        d->class = "layout-missed";
        text_addf(&d->sentence,
                  "The first tile of B is found, and the next one is not: rows begin n + %d floats "
                  "apart, so a tile of %d rows is %d * (n + %d) floats further down, not %d * n.",
                  padding, tiles[i], tiles[i], padding, tiles[i]);
        text_add(&d->evidence, "every product of integers is that of the numbers found so");
        return true;
    }
    return false;
}

static bool suspect_padding(const struct trials *all, const struct suspect_context *c,
                            struct diagnosis *d) {
    const int padding = c->layout.padding;
    const struct trial *behind = wrote_behind_one_row(all), *wrote = wrote_padding(all);
    if (behind)
        return say_written(behind, c->entry, d);
    if (wrote && right_for_squares(all))
        return false; /* another mistake: m, n and k mixed up */
    bool a = false, b = false;
    for (int taken = 1; taken < 4 && !wrote && !a && !b; taken++)
        if (explains_all(all, taken & 1, taken & 2))
            a = taken & 1, b = taken & 2;
    if (!wrote && !a && !b)
        return suspect_step(all, padding, d);
    d->class = "layout-missed";
    text_addf(&d->sentence,
              "In this lab %d floats that belong to others lie behind each row, and the program %s "
              "as if a row began right after the one before. Element (i, p) of A is A[i * (k + %d) "
              "+ p], (p, j) of B is B[p * (n + %d) + j], and (i, j) of C is C[i * (n + %d) + j].",
              padding,
              wrote    ? "writes C"
              : a && b ? "reads A and B"
              : a      ? "reads A"
                       : "reads B",
              padding, padding, padding);
    if (wrote)
        text_addf(&d->evidence, "with n = %d, C[%lld] is written", wrote->shape.n,
                  (long long)wrote->touched.index);
    else
        text_add(&d->evidence, "every product of integers is that of the numbers as they lie");
    return true;
}

bool suspect_layout(const struct trials *all, const struct suspect_context *c,
                    struct diagnosis *d) {
    if (c->layout.padding > 0)
        return suspect_padding(all, c, d);
    for (int taken = 1; taken < 4; taken++) {
        const bool a = taken & 1, b = taken & 2;
        if ((a && !c->layout.a_transposed) || (b && !c->layout.b_transposed) ||
            !explains_all(all, a, b))
            continue;
        d->class = "layout-missed";
        text_addf(&d->sentence,
                  "In this lab %s transposed, and the program reads %s row by row. %s%s",
                  a && b ? "A and B lie"
                  : a    ? "A lies"
                         : "B lies",
                  a && b ? "them" : "it", a ? "Element (i, p) of A is A[p * m + i]. " : "",
                  b ? "Element (p, j) of B is B[j * k + p]." : "");
        text_addf(&d->evidence, "every product of integers is that of %s as it lies in memory",
                  a && b ? "A and B"
                  : a    ? "A"
                         : "B");
        const struct trial *shown = suspect_best(all, false);
        if (shown)
            suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
        return true;
    }
    return false;
}
