/* compare_test.c: what the judge accepts and what it refuses, at the edges of the bound. */
#include "common/compare.h"
#include "common/matrix.h"
#include "common/reference.h"
#include "common/tests/suite.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(gamma_of_k) {
    ck_assert_double_eq(compare_gamma(1), 0x1p-24 / (1 - 0x1p-24));
    ck_assert_double_eq(compare_gamma(1024), 0x1p-14 / (1 - 0x1p-14));
    /* Past the formula's reach: finite, positive, never falling. */
    double before = 0;
    for (int k = 1; k > 0 && k < INT_MAX / 3; k = k * 3 - (k > 1000)) {
        double gamma = compare_gamma(k);
        ck_assert(isfinite(gamma) && gamma > before && gamma >= k * 0x1p-24);
        before = gamma;
    }
    ck_assert(isfinite(compare_gamma(1 << 24)));
    ck_assert(isfinite(compare_gamma(INT_MAX)));
}

TEST(exact_rule) {
    double want[4] = {1, -2, 0, 16777216};
    float got[4] = {1, -2, -0.0f, 16777216};
    struct comparison c = compare_exact(2, 2, got, want);
    ck_assert_uint_eq(c.wrong, 0);
    ck_assert_uint_eq(c.total, 4);
    ck_assert_double_eq(c.worst, 0);

    got[1] = nextafterf(-2, 0); /* one bit off */
    c = compare_exact(2, 2, got, want);
    ck_assert_uint_eq(c.wrong, 1);
    ck_assert_int_eq(c.first[0].row, 0);
    ck_assert_int_eq(c.first[0].col, 1);
    ck_assert_double_eq(c.first[0].want, -2);
    ck_assert_double_eq(c.first[0].bound, 0);
    ck_assert(isinf(c.worst));
}

TEST(edges_of_the_bound) {
    /* k = 1, |A||B| = 1: the bound is a hair above 2^-24. */
    double want = 1, magnitude = 1;
    double bound = compare_gamma(1) * magnitude;
    float inside = 1 - 0x1p-24f;  /* one step below 1: 2^-24 away, just within */
    float outside = 1 + 0x1p-23f; /* one step above 1: 2^-23 away */
    ck_assert_uint_eq(compare_bound(1, 1, 1, &inside, &want, &magnitude).wrong, 0);
    ck_assert_uint_eq(compare_bound(1, 1, 1, &outside, &want, &magnitude).wrong, 1);

    double nearly = 1 - bound; /* exactly at the bound, and one float64 step beyond it */
    float one = 1;
    ck_assert(compare_element(one, nearly, 1 - nearly));
    ck_assert(!compare_element(one, nearly, nextafter(1 - nearly, 0)));

    struct comparison c = compare_bound(1, 1, 1, &inside, &want, &magnitude);
    ck_assert(c.worst > 0.99 && c.worst <= 1);
    c = compare_bound(1, 1, 1, &outside, &want, &magnitude);
    ck_assert(c.worst > 1.99 && c.worst < 2);
    ck_assert_double_eq(c.first[0].bound, bound);
}

/* A zero row: no error at all is allowed where |A||B| = 0. */
TEST(zero_magnitude) {
    double want = 0, magnitude = 0;
    float zero = 0, tiny = 1e-45f;
    ck_assert_uint_eq(compare_bound(1, 1, 100, &zero, &want, &magnitude).wrong, 0);
    struct comparison c = compare_bound(1, 1, 100, &tiny, &want, &magnitude);
    ck_assert_uint_eq(c.wrong, 1);
    ck_assert(isinf(c.worst));
}

TEST(not_finite_is_never_right) {
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    double want[3] = {1, 1, 1}, magnitude[3] = {1e300, 1e300, INFINITY};
    for (int i = 0; i < 3; ++i) {
        ck_assert_uint_eq(compare_exact(1, 1, &bad[i], want).wrong, 1);
        for (int j = 0; j < 3; ++j) {
            struct comparison c = compare_bound(1, 1, 1, &bad[i], &want[j], &magnitude[j]);
            ck_assert_uint_eq(c.wrong, 1);
            ck_assert_uint_eq(c.not_finite, 1);
            ck_assert(isinf(c.worst));
        }
    }
    ck_assert(!compare_element(1, NAN, 1));
    ck_assert(!compare_element(1, 1, NAN));
    ck_assert(!compare_element(INFINITY, INFINITY, 1));
}

TEST(counts_and_first_places) {
    enum { M = 7, N = 11 };
    float got[M * N];
    double want[M * N];
    for (int e = 0; e < M * N; ++e) {
        got[e] = 1;
        want[e] = e % 2 ? 1 : 2;
    }
    got[76] = NAN; /* the last element, even */
    struct comparison c = compare_exact(M, N, got, want);
    ck_assert_uint_eq(c.total, 77);
    ck_assert_uint_eq(c.wrong, 39);
    ck_assert_uint_eq(c.not_finite, 1);
    ck_assert_int_eq(c.kept, COMPARE_KEPT);
    for (int i = 0; i < c.kept; ++i) { /* in row-major order: elements 0, 2, 4 ... */
        ck_assert_int_eq(c.first[i].row, 2 * i / N);
        ck_assert_int_eq(c.first[i].col, 2 * i % N);
    }
}

/* ---- Products of a lower precision ---- */

/* Rounds to a significand of `bits` bits, ties to even: 11 for half precision and for TF32. */
static float round_to(float x, int bits) {
    int exponent;
    float f = frexpf(x, &exponent);
    return ldexpf(rintf(ldexpf(f, bits)), exponent - bits);
}

/* C = A * B in float, summed forwards or backwards, with inputs rounded to `bits` bits. */
static void multiply(int m, int n, int k, const float *A, const float *B, float *C, int bits,
                     bool backwards, bool fused) {
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int q = 0; q < k; ++q) {
                int p = backwards ? k - 1 - q : q;
                float a = round_to(A[i * k + p], bits);
                float b = round_to(B[p * n + j], bits);
                volatile float product = a * b; /* rounded: not contracted to an FMA */
                sum = fused ? fmaf(a, b, sum) : sum + product;
            }
            C[i * n + j] = sum;
        }
}

enum { SIDE = 24 };

/* The judge's view of such a product: exact when low and high are given, else reals. */
static struct comparison judge(int k, int bits, bool backwards, bool fused, int range_A,
                               int range_B) {
    float *A = malloc(sizeof(float) * SIDE * k), *B = malloc(sizeof(float) * SIDE * k);
    float C[SIDE * SIDE];
    double want[SIDE * SIDE], magnitude[SIDE * SIDE];
    struct generator g = generator_start(7, k);
    if (range_A) {
        fill_integers(A, (size_t)SIDE * k, -range_A, range_A, &g);
        fill_integers(B, (size_t)SIDE * k, -range_B, range_B, &g);
    } else {
        fill_uniform(A, (size_t)SIDE * k, &g);
        fill_uniform(B, (size_t)SIDE * k, &g);
    }
    multiply(SIDE, SIDE, k, A, B, C, bits, backwards, fused);
    reference_product(SIDE, SIDE, k, A, B, want, REFERENCE_AUTO, 0);
    reference_magnitude(SIDE, SIDE, k, A, B, magnitude, REFERENCE_AUTO, 0);
    free(A);
    free(B);
    return range_A ? compare_exact(SIDE, SIDE, C, want)
                   : compare_bound(SIDE, SIDE, k, C, want, magnitude);
}

TEST(float32_passes_in_any_order) {
    for (int k = 1; k < 3000; k = k * 5 + 2)
        for (int order = 0; order < 4; ++order) {
            struct comparison c = judge(k, 24, order & 1, order & 2, 0, 0);
            ck_assert_msg(c.wrong == 0, "k = %d: worst %g of the bound", k, c.worst);
            int small = exact_small_range(k), wide = exact_wide_range(k);
            ck_assert_uint_eq(judge(k, 24, order & 1, order & 2, small, small).wrong, 0);
            ck_assert_uint_eq(judge(k, 24, order & 1, order & 2, wide, 1).wrong, 0);
        }
}

TEST(half_and_tf32_fail) {
    /* By the bound while k is small, by wide integers as far as they reach. */
    for (int k = 1; k <= 64; k *= 2)
        ck_assert_uint_gt(judge(k, 11, false, false, 0, 0).wrong, 0);
    for (int k = 1; k <= 4096; k *= 4)
        ck_assert_uint_gt(judge(k, 11, false, false, exact_wide_range(k), 1).wrong, 0);
    /* Small integers cannot tell: they have fewer than 11 bits. That is why the others exist. */
    ck_assert_uint_eq(judge(64, 11, false, false, 8, 8).wrong, 0);
}

TEST(bfloat16_fails) {
    for (int k = 1; k <= 256; k *= 2)
        ck_assert_uint_gt(judge(k, 8, false, false, 0, 0).wrong, 0);
}

int main(void) {
    return run_tests((struct suite){.name = "compare"});
}
