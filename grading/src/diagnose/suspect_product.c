/* suspect_product.c: another product than the lab's (see suspect.h). */
#include "grading/src/diagnose/suspect.h"

#include "common/lab_product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a program computes, from the right product and what C held before; false: no such program
 * can be wrong in this lab. */
typedef bool computes(const struct lab_product *p, double *of_product, double *of_c);

static bool both_missing(const struct lab_product *p, double *of_product, double *of_c) {
    *of_product = 1, *of_c = 0;
    return p->alpha != 1;
}
static bool beta_missing(const struct lab_product *p, double *of_product, double *of_c) {
    *of_product = p->alpha, *of_c = 0;
    return true;
}
static bool beta_is_one(const struct lab_product *p, double *of_product, double *of_c) {
    *of_product = p->alpha, *of_c = 1;
    return p->beta != 1;
}
static bool plainly_added(const struct lab_product *p, double *of_product, double *of_c) {
    *of_product = 1, *of_c = 1;
    return p->alpha != 1 && p->beta != 1;
}
static bool alpha_missing(const struct lab_product *p, double *of_product, double *of_c) {
    *of_product = 1, *of_c = p->beta;
    return p->alpha != 1;
}
static bool alpha_of_all(const struct lab_product *p, double *of_product, double *of_c) {
    *of_product = p->alpha, *of_c = (double)p->alpha * p->beta;
    return p->alpha != 1;
}
static bool exchanged(const struct lab_product *p, double *of_product, double *of_c) {
    *of_product = p->beta, *of_c = p->alpha;
    return p->alpha != p->beta;
}

static const struct {
    computes *computes;
    const char *class, *what;
} scalings[] = {
    {both_missing, "beta-missed", "The program computes A * B alone"},
    {beta_missing, "beta-missed", "What C held before is left out"},
    {beta_is_one, "beta-missed", "What C held before is added as it is, without beta"},
    {plainly_added, "alpha-missed", "The product is added to C, without alpha and beta"},
    {alpha_missing, "alpha-missed", "The product is not multiplied by alpha"},
    {alpha_of_all, "alpha-missed", "alpha multiplies what C held before, too"},
    {exchanged, "alpha-missed", "alpha and beta have changed places"},
};

/* Is every product of integers this one? */
static bool explains_scaling(const struct trials *all, double of_product, double of_c) {
    size_t explained = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!t->raw || !t->exact)
            continue;
        for (size_t at = 0; at < trial_elements(t); at++)
            if ((double)t->raw[at] != of_product * t->want[at] + of_c * (double)t->held[at])
                return false;
        explained += trial_wrong(t) ? trial_elements(t) : 0;
    }
    return explained >= 4;
}

static void show(const struct trials *all, struct diagnosis *d) {
    const struct trial *t = suspect_best(all, false);
    if (t)
        suspect_example(&d->sentence, t, suspect_element(t, true), NULL);
}

static bool suspect_scaling(const struct trials *all, const struct lab_product *p,
                            struct diagnosis *d) {
    for (size_t i = 0; i < sizeof scalings / sizeof *scalings; i++) {
        double of_product, of_c;
        if (!scalings[i].computes(p, &of_product, &of_c) ||
            !explains_scaling(all, of_product, of_c))
            continue;
        d->class = scalings[i].class;
        text_addf(&d->sentence,
                  "%s. In this lab C becomes alpha * A * B + beta * C, with alpha = %d, beta = %d "
                  "and C as it was before the call.",
                  scalings[i].what, p->alpha, p->beta);
        text_addf(&d->evidence,
                  "every product of integers is %g times the right one of A and B, plus %g times "
                  "what C held",
                  of_product, of_c);
        show(all, d);
        return true;
    }
    return false;
}

/* ---- min-plus ---- */

/* Is every product of integers the plain one, as exactly as float can have it? */
static bool multiplies(const struct trials *all) {
    size_t explained = 0;
    bool same = true;
    for (int i = 0; i < all->count && same; i++) {
        const struct trial *t = all->trial[i];
        const size_t total = trial_elements(t);
        if (!t->got || !t->exact)
            continue;
        const struct shape s = t->shape;
        double *sum = xmalloc(total * sizeof *sum), *size = xmalloc(total * sizeof *size);
        same = reference_product(s.m, s.n, s.k, t->a, t->b, sum, REFERENCE_OWN, 0) == 0 &&
               reference_magnitude(s.m, s.n, s.k, t->a, t->b, size, REFERENCE_OWN, 0) == 0;
        for (size_t at = 0; same && at < total; at++)
            same = compare_element(t->got[at], sum[at], compare_gamma(s.k) * size[at]);
        free(sum);
        free(size);
        explained += trial_wrong(t) ? total : 0;
    }
    return same && explained >= 4;
}

/* Is every wrong product the right one, or 0 where that is less? In *clean: one without edges. */
static bool takes_zero(const struct trials *all, bool *clean) {
    size_t explained = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!trial_wrong(t) || !t->exact)
            continue;
        for (size_t at = 0; at < trial_elements(t); at++)
            if ((double)t->got[at] != fmin(t->want[at], 0))
                return false;
        *clean = *clean || trial_clean(t);
        explained += trial_elements(t);
    }
    return explained >= 4;
}

static bool suspect_ring(const struct trials *all, struct diagnosis *d) {
    bool clean = false;
    if (multiplies(all)) {
        d->class = "ring-missed";
        text_add(&d->sentence,
                 "The program adds up products. In this lab C[i][j] is the least of the sums "
                 "A[i][p] + B[p][j]: a sum stands for each product, and the least for their sum.");
        text_add(&d->evidence, "every product of integers is that of sums of products");
    } else if (takes_zero(all, &clean)) {
        d->class = "least-of-zero";
        text_add(&d->sentence,
                 clean
                     ? "The least is never more than 0: it begins with 0. Begin with INFINITY, of "
                       "which every sum is less."
                     : "With an edge, the least is never more than 0: zeros stand in for elements "
                       "that do not exist, and their sums are 0. Let INFINITY stand in for them.");
        text_add(&d->evidence, "every wrong element is 0 where the right one is more");
    } else {
        return false;
    }
    show(all, d);
    return true;
}

bool suspect_product(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d) {
    switch (c->product.kind) {
    case PRODUCT_SCALED: return suspect_scaling(all, &c->product, d);
    case PRODUCT_MIN_PLUS: return suspect_ring(all, d);
    case PRODUCT_PLAIN: break;
    }
    return false;
}
