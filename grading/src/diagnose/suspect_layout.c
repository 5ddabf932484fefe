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

/* Is this what comes of taking A, or B, or both, row by row? Where the right product comes of it,
 * too (a single row), that says nothing. */
static bool explains(const struct trial *t, bool a_taken, bool b_taken, bool *differs) {
    const struct shape s = t->shape;
    const size_t total = trial_elements(t);
    float *a = a_taken ? as_it_lies(t->a, s.m, s.k, t->layout.padding) : t->a;
    float *b = b_taken ? as_it_lies(t->b, s.k, s.n, t->layout.padding) : t->b;
    double *would = xmalloc(total * sizeof *would);
    bool same = reference_product(s.m, s.n, s.k, a, b, would, REFERENCE_OWN, 0) == 0;
    for (size_t i = 0; same && i < total; i++) {
        same = (double)t->got[i] == would[i] || (isnan(t->got[i]) && isnan(would[i]));
        *differs = *differs || would[i] != t->want[i];
    }
    if (a_taken)
        free(a);
    if (b_taken)
        free(b);
    free(would);
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

static bool suspect_padding(const struct trials *all, int padding, struct diagnosis *d) {
    const struct trial *wrote = wrote_padding(all);
    bool a = false, b = false;
    for (int taken = 1; taken < 4 && !wrote && !a && !b; taken++)
        if (explains_all(all, taken & 1, taken & 2))
            a = taken & 1, b = taken & 2;
    if (!wrote && !a && !b)
        return false;
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
        return suspect_padding(all, c->layout.padding, d);
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
