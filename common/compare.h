/*
 * compare.h: is a float32 product right? Judged element by element.
 *
 * Two rules:
 *
 *   exact   got must equal the reference. For inputs that are small integers (see matrix.h), where
 *           float32 makes no error: any difference is a mistake.
 *
 *   bound   |got - want| <= γ_k * (|A||B|),  γ_k = k u / (1 - k u),  u = 2^-24.
 *           A theorem (Higham, Accuracy and Stability of Numerical Algorithms, section 3.5), not a
 *           guess: every float32 product obeys it, in any order of summation, with fused
 *           multiply-adds or without. A result beyond it is not a float32 product of A and B.
 *           The bound grows with k, so it tells half-precision or TF32 products from float32 ones
 *           only while k is small (up to some dozens); for larger k use exact with wide integers.
 *           It holds where no product or sum overflows or becomes subnormal.
 *
 * A NaN or an infinity is never right. The functions refuse nothing and allocate nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* γ_k for float32. From k = 2^23 on, where the formula grows without limit and then loses its
 * meaning, 2 k u: above the bound k u, which holds for every k (Jeannerod and Rump, 2013). */
double compare_gamma(int k);

/* What a product may be off by, as a factor of (|A||B|).
 * Labs of lower precision state their own. */
enum bound_kind {
    BOUND_FLOAT32, /* γ_k */
    /* Tensor cores with 3xTF32, lab 9: factors split into two TF32 numbers, the second one cut,
     * lose 20.1 u; three products, each added up by an instruction for every 8 columns, which loses
     * less than 8 u of what it adds. Sums that are flushed to float totals after every f columns, f
     * being 8 to 256, are off by less than
     *     u (20.1 + 3 * 8 * ceil(min(k, f) / 8) + ceil(k / f)),
     * which is largest for one of the two ends. Sums that are never flushed may be off by more.
     * docs/challenge.md derives the solution's own, tighter one. */
    BOUND_3XTF32,
};
double compare_factor(enum bound_kind kind, int k);

struct wrong_element {
    int row, col;
    float got;
    double want;  /* the reference's value */
    double bound; /* the largest |got - want| accepted; 0 under the exact rule */
};

enum { COMPARE_KEPT = 8 };

struct comparison {
    size_t total;                             /* elements compared: m * n */
    size_t wrong;                             /* how many of them are wrong */
    size_t not_finite;                        /* how many of the wrong ones are NaN or infinite */
    int kept;                                 /* filled entries of first[] */
    struct wrong_element first[COMPARE_KEPT]; /* the first wrong ones in row-major order */
    double worst; /* largest |got - want| / bound over all elements; right while <= 1. Infinite for
                     what is not finite, and for a difference where the bound is 0. */
    int worst_row, worst_col; /* where that is */
};

/* got, want and magnitude are m x n, row-major. magnitude is |A||B| (reference_magnitude). */
struct comparison compare_exact(int m, int n, const float *got, const double *want);
struct comparison compare_bound(int m, int n, int k, const float *got, const double *want,
                                const double *magnitude);
/* The same with another factor than γ_k. */
struct comparison compare_within(int m, int n, double factor, const float *got, const double *want,
                                 const double *magnitude);

/* The same with a bound for each element, m x n; 0 is the exact rule. */
struct comparison compare_each(int m, int n, const float *got, const double *want,
                               const double *bound);

/* One element's verdict, for callers that walk a matrix themselves. NaN in any argument: false. */
bool compare_element(float got, double want, double bound);
