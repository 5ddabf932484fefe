/*
 * lab_product.h: what a lab computes. The kit's labs compute A * B; a term's course may ask for
 * another product (docs/course.md):
 *
 *   scaled     C = alpha * A * B + beta * C, with C as it was before; alpha and beta are small
 *              integers, the same for a whole term, so that integer products stay exact.
 *   min-plus   C[i][j] is the least of all A[i][p] + B[p][j]: lengths of shortest paths.
 *
 * What float32 may be off by, with u = 2^-24:
 *
 *   scaled     γ_(k+2) * (|alpha| |A||B| + |beta| |C|). A term alpha a b is rounded twice as it is
 *              multiplied, by alpha sooner or later, and beta c once. They are k + 1 terms, so each
 *              takes part in at most k additions, in any order: at most k + 2 roundings of each.
 *              Fused operations leave some out. Tensor cores' sums (BOUND_3XTF32) are multiplied by
 *              alpha, and added to beta c: two more roundings, and a third u for what is beyond the
 *              first order.
 *   min-plus   u * |C|. A sum is rounded once, and rounding keeps order: the least of the rounded
 *              sums is the least sum, rounded.
 */
#pragma once

#include "common/compare.h"
#include "common/reference.h"

enum product_kind { PRODUCT_PLAIN, PRODUCT_SCALED, PRODUCT_MIN_PLUS };

/* All zeros is the plain product. */
struct lab_product {
    enum product_kind kind;
    int alpha, beta; /* PRODUCT_SCALED: neither is 0, and each is at most PRODUCT_MOST_FACTOR */
};

enum {
    PRODUCT_MOST_FACTOR = 4,   /* |alpha|, |beta| */
    PRODUCT_MOST_BEFORE = 1024 /* |C| before a call, where products must be exact */
};

/* Does C before the call count? */
bool lab_product_takes_c(const struct lab_product *p);

/* As reference_product and reference_magnitude. `before` is what C holds before the call; it may be
 * NULL where that does not count. The magnitude is what lab_product_factor is a factor of. */
int lab_product_reference(const struct lab_product *p, int m, int n, int k, const float *A,
                          const float *B, const float *before, double *C,
                          enum reference_engine engine, int threads);
int lab_product_magnitude(const struct lab_product *p, int m, int n, int k, const float *A,
                          const float *B, const float *before, double *C,
                          enum reference_engine engine, int threads);

/* What the product may be off by, as a factor of the magnitude. */
double lab_product_factor(const struct lab_product *p, enum bound_kind kind, int k);

/* So many terms of a plain product have as large a sum as k terms of this one, with C before the
 * call no larger than PRODUCT_MOST_BEFORE: for exact_small_range and exact_wide_range. */
int lab_product_terms(const struct lab_product *p, int k);
