/* lab_product_test.c: other products than A * B: what they are, and that no right program is
 * refused (lab_product.h). */
#include "common/lab_product.h"

#include "common/matrix.h"
#include "common/tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { M = 5, N = 7, MOST_K = 300 };

static const struct lab_product plain, scaled = {PRODUCT_SCALED, 2, -1},
                                       min_plus = {.kind = PRODUCT_MIN_PLUS};

TEST(scaled_adds_to_c) {
    const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, before[] = {10, 20, -30, 0};
    double c[4] = {0}, size[4] = {0};
    ck_assert_int_eq(lab_product_reference(&scaled, 2, 2, 2, a, b, before, c, REFERENCE_OWN, 1), 0);
    const double want[] = {28, 24, 116, 100};
    for (int i = 0; i < 4; i++)
        ck_assert(c[i] == want[i]);
    ck_assert_int_eq(lab_product_magnitude(&scaled, 2, 2, 2, a, b, before, size, REFERENCE_OWN, 1),
                     0);
    const double sizes[] = {48, 64, 116, 100};
    for (int i = 0; i < 4; i++)
        ck_assert(size[i] == sizes[i]);
    ck_assert(lab_product_takes_c(&scaled) && !lab_product_takes_c(&plain) &&
              !lab_product_takes_c(&min_plus));
}

TEST(min_plus_is_the_least_sum) {
    const float a[] = {1, 5, -3, 4, 0, 2}, b[] = {2, -7, 1, 0, 5, 3};
    double c[4] = {0}, size[4] = {0};
    ck_assert_int_eq(lab_product_reference(&min_plus, 2, 2, 3, a, b, NULL, c, REFERENCE_OWN, 1), 0);
    const double want[] = {2, -6, 1, -3};
    for (int i = 0; i < 4; i++)
        ck_assert(c[i] == want[i]);
    ck_assert_int_eq(lab_product_magnitude(&min_plus, 2, 2, 3, a, b, NULL, size, REFERENCE_OWN, 1),
                     0);
    for (int i = 0; i < 4; i++)
        ck_assert(size[i] == fabs(want[i]));
}

TEST(zeros_are_the_plain_product) {
    const float a[] = {3}, b[] = {4};
    double c[1];
    ck_assert_int_eq(lab_product_reference(&plain, 1, 1, 1, a, b, NULL, c, REFERENCE_OWN, 1), 0);
    ck_assert(c[0] == 12);
    ck_assert(lab_product_factor(&plain, BOUND_FLOAT32, 10) == compare_gamma(10));
    ck_assert_int_eq(lab_product_terms(&plain, 10), 10);
}

/* ---- The bound: float32 programs of several kinds ---- */

struct made {
    struct lab_product p;
    int k;
    float a[M * MOST_K], b[MOST_K * N], before[M * N], got[M * N];
    double want[M * N], size[M * N];
};

static void make(struct made *t, struct lab_product p, int k, uint64_t seed) {
    struct generator g = generator_start(seed, 1);
    t->p = p;
    t->k = k;
    fill_uniform(t->a, M * (size_t)k, &g);
    fill_uniform(t->b, (size_t)k * N, &g);
    fill_uniform(t->before, M * N, &g);
    lab_product_reference(&p, M, N, k, t->a, t->b, t->before, t->want, REFERENCE_OWN, 1);
    lab_product_magnitude(&p, M, N, k, t->a, t->b, t->before, t->size, REFERENCE_OWN, 1);
}

/* Element by element, in one of these ways. */
enum way { AT_THE_END, FACTORS_FIRST, INTO_C, BACKWARDS_FUSED, WAYS };

static float element(const struct made *t, enum way way, int i, int j) {
    const float alpha = (float)t->p.alpha, c = (float)t->p.beta * t->before[i * N + j];
    float sum = way == INTO_C ? c : 0;
    for (int q = 0; q < t->k; q++) {
        const int p = way == BACKWARDS_FUSED ? t->k - 1 - q : q;
        const float a = t->a[i * t->k + p], b = t->b[p * N + j];
        switch (way) {
        case FACTORS_FIRST: sum += alpha * a * b; break;
        case INTO_C: sum += alpha * (a * b); break;
        case BACKWARDS_FUSED: sum = fmaf(a, b, sum); break;
        default: sum += a * b;
        }
    }
    return way == INTO_C ? sum : way == FACTORS_FIRST ? sum + c : alpha * sum + c;
}

static size_t wrong(const struct made *t) {
    const double factor = lab_product_factor(&t->p, BOUND_FLOAT32, t->k);
    return compare_within(M, N, factor, t->got, t->want, t->size).wrong;
}

TEST_EACH(no_scaled_float32_product_is_refused, WAYS) {
    static struct made t;
    static const int sides[] = {1, 2, 31, 300};
    static const struct lab_product scales[] = {
        {PRODUCT_SCALED, 2, -1}, {PRODUCT_SCALED, -3, 3}, {PRODUCT_SCALED, 1, 4}};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        make(&t, scales[seed % 3], sides[seed / 3 % 4], seed);
        for (int e = 0; e < M * N; e++)
            t.got[e] = element(&t, (enum way)_i, e / N, e % N);
        ck_assert_uint_eq(wrong(&t), 0);
        for (int e = 0; e < M * N; e++) /* without C */
            t.got[e] = (float)(t.want[e] - t.p.beta * (double)t.before[e]);
        ck_assert_uint_gt(wrong(&t), M * N / 2);
    }
}

TEST(no_min_plus_float32_product_is_refused) {
    static struct made t;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        make(&t, min_plus, 1 + (int)seed * 7, seed);
        for (int e = 0; e < M * N; e++) {
            float least = INFINITY;
            for (int p = 0; p < t.k; p++)
                least = fminf(least, t.a[e / N * t.k + p] + t.b[p * N + e % N]);
            t.got[e] = least;
        }
        ck_assert_uint_eq(wrong(&t), 0);
        for (int e = 0; e < M * N; e++)
            t.got[e] *= 1 + 0x1p-22f;
        ck_assert_uint_eq(wrong(&t), M * N);
    }
}

/* ---- Integers stay exact ---- */

TEST(terms_leave_room_for_c) {
    const int64_t exact = (int64_t)1 << 24;
    for (int alpha = 1; alpha <= PRODUCT_MOST_FACTOR; alpha++)
        for (int beta = 1; beta <= PRODUCT_MOST_FACTOR; beta++)
            for (int k = 1; k < 5000; k += 7) {
                const struct lab_product p = {PRODUCT_SCALED, -alpha, beta};
                const int terms = lab_product_terms(&p, k);
                const int64_t small = exact_small_range(terms), wide = exact_wide_range(terms);
                const int64_t of_c = (int64_t)beta * PRODUCT_MOST_BEFORE;
                ck_assert_int_le(alpha * k * small * small + of_c, exact);
                ck_assert_int_le(alpha * k * wide + of_c, exact);
                /* No smaller than they must be: half precision and TF32 show up to here. */
                ck_assert(k * alpha > 8180 || wide >= 2049);
            }
}

int main(void) {
    return run_tests((struct suite){.name = "common/lab_product"});
}
