/* compare.c: see compare.h. */
#include "common/compare.h"

#include <math.h>

double compare_gamma(int k) {
    double ku = k * 0x1p-24;
    return ku < 0.5 ? ku / (1 - ku) : 2 * ku;
}

bool compare_element(float got, double want, double bound) {
    /* Written so that a NaN, for which every comparison is false, fails. An infinite got fails too:
     * its distance to a finite want is infinite, and a bound is finite. */
    return fabs((double)got - want) <= bound && isfinite(bound);
}

/* How far out an element is, in units of the bound. */
static double badness(float got, double want, double bound) {
    double difference = fabs((double)got - want);
    if (difference == 0)
        return 0;
    if (!isfinite(difference) || !(bound > 0))
        return INFINITY;
    return difference / bound;
}

static void judge(struct comparison *c, int row, int col, float got, double want, double bound) {
    double out = badness(got, want, bound);
    if (out > c->worst) {
        c->worst = out;
        c->worst_row = row;
        c->worst_col = col;
    }
    if (compare_element(got, want, bound))
        return;
    if (c->kept < COMPARE_KEPT)
        c->first[c->kept++] = (struct wrong_element){
            .row = row, .col = col, .got = got, .want = want, .bound = bound};
    c->not_finite += !isfinite(got);
    ++c->wrong;
}

struct comparison compare_exact(int m, int n, const float *got, const double *want) {
    struct comparison c = {.total = (size_t)m * (size_t)n};
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            size_t e = (size_t)i * n + j;
            judge(&c, i, j, got[e], want[e], 0);
        }
    return c;
}

/* What 3xTF32 sums lose that are added to float totals after every f columns, in u. */
static double flushed(int k, int f) {
    return 3 * 8 * ceil((k < f ? k : f) / 8.0) + ceil((double)k / f);
}

double compare_factor(enum bound_kind kind, int k) {
    if (kind != BOUND_3XTF32)
        return compare_gamma(k);
    const double often = flushed(k, 8), rarely = flushed(k, 256);
    return 0x1p-24 * (20.1 + (often > rarely ? often : rarely));
}

struct comparison compare_each(int m, int n, const float *got, const double *want,
                               const double *bound) {
    struct comparison c = {.total = (size_t)m * (size_t)n};
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            size_t e = (size_t)i * n + j;
            judge(&c, i, j, got[e], want[e], bound[e]);
        }
    return c;
}

struct comparison compare_bound(int m, int n, int k, const float *got, const double *want,
                                const double *magnitude) {
    return compare_within(m, n, compare_gamma(k), got, want, magnitude);
}

struct comparison compare_within(int m, int n, double factor, const float *got, const double *want,
                                 const double *magnitude) {
    struct comparison c = {.total = (size_t)m * (size_t)n};
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            size_t e = (size_t)i * n + j;
            judge(&c, i, j, got[e], want[e], factor * magnitude[e]);
        }
    return c;
}
