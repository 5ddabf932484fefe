/*
 * suspect_layout_test.c: matrices of a term's course that lie otherwise, and products other than
 * A * B: who takes them for plain ones is told so.
 */
#include "common/tests/suite.h"
#include "grading/src/diagnose/suspect.h"
#include "grading/tests/trial_programs.h"

#include <math.h>

/* A right product of plain matrices, given some that lie transposed: which of them it takes for
 * plain. */
TEST_EACH(a_missed_layout_is_recognised, 3) {
    static const char *const told[] = {"A lies transposed", "B lies transposed",
                                       "A and B lie transposed"};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.a_transposed = _i != 1, .b_transposed = _i != 0};
    const struct suspect_context c = {.entry = ENTRY_CPU, .layout = layout};
    run_program(&all, right);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "layout-missed");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), told[_i]));
    ck_assert(!strstr(text_get(&d.sentence), "A[p * m + i]") == (_i == 1));
    ck_assert(!strstr(text_get(&d.sentence), "B[j * k + p]") == (_i == 0));
    diagnosis_free(&d);
    trials_free(&all);
}

static bool read_b_right;

/* The program reads the memory of one that has padding, and stores C as it must. (Of B alone, every
 * sum has a NaN: A says nothing then.) */
static void reads_without_padding(void) {
    const float *rows_a = A, *rows_b = B;
    const size_t apart_a = (size_t)s.k + 8, apart_b = (size_t)s.n + 8;
    float *a = xmalloc((size_t)s.m * apart_a * sizeof *a),
          *b = xmalloc((size_t)s.k * apart_b * sizeof *b);
    fill_value(a, (size_t)s.m * apart_a, NAN);
    fill_value(b, (size_t)s.k * apart_b, NAN);
    matrix_spread(a, rows_a, s.m, s.k, 8);
    matrix_spread(b, rows_b, s.k, s.n, 8);
    A = a;
    B = read_b_right ? rows_b : b;
    right();
    A = rows_a, B = rows_b;
    free(a);
    free(b);
}

TEST_EACH(missed_padding_is_recognised, 2) {
    static const char *const told[] = {"reads B as if", "reads A as if"};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.padding = 8};
    read_b_right = _i == 1;
    const struct suspect_context c = {.entry = ENTRY_CPU, .layout = layout};
    run_program(&all, reads_without_padding);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "layout-missed");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), told[_i]));
    diagnosis_free(&d);
    trials_free(&all);
}

/* As if each had written behind its first row and given nothing back; where C has one row only, on
 * demand. */
static void write_behind_rows(struct trials *all, bool single) {
    for (int i = 0; i < all->count; i++) {
        struct trial *t = all->trial[i];
        if (t->shape.m == 1 && !single)
            continue;
        free(t->got);
        t->got = NULL;
        t->verdict = VERDICT_MEMORY;
        t->touched = (struct touched){
            .how = TOUCHED_OUTSIDE, .written = true, .matrix = MATRIX_C, .index = t->shape.n};
    }
}

/* One that stores where the padding is gives no product, and is told of it all the same. */
TEST(a_write_to_padding_is_recognised) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.padding = 8};
    const struct suspect_context c = {.entry = ENTRY_CPU, .layout = layout};
    run_program(&all, reads_without_padding);
    write_behind_rows(&all, false);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "layout-missed");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "writes C as if"));
    diagnosis_free(&d);
    /* Where squares are right, rows are found: by another matrix's side. */
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        if (t->shape.m == t->shape.n && t->shape.n == t->shape.k) {
            t->verdict = VERDICT_PASS;
            t->touched = (struct touched){0};
        }
    }
    d = (struct diagnosis){0};
    ck_assert(!suspect_products(&all, &c, &d) || strcmp(d.class, "layout-missed") != 0);
    diagnosis_free(&d);
    trials_free(&all);
}

/* One that writes behind a single row has no row of C there: it writes too much. */
TEST(a_write_behind_the_only_row_is_recognised) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.padding = 8};
    const struct suspect_context c = {.entry = ENTRY_HOST, .layout = layout};
    run_program(&all, reads_without_padding);
    write_behind_rows(&all, true);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "padding-written");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "cudaMemcpy2D does that"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Rows of a tile as far apart as they are, tiles as if they were not. */
static void steps_without_padding(void) {
    enum { STEP = 16, BEHIND = 8 };
    const int apart = s.n + BEHIND;
    float *b = xmalloc((size_t)s.k * (size_t)apart * sizeof *b);
    fill_value(b, (size_t)s.k * (size_t)apart, NAN);
    matrix_spread(b, B, s.k, s.n, BEHIND);
    for (int i = 0; i < s.m; i++)
        for (int j = 0; j < s.n; j++) {
            float sum = 0;
            for (int p = 0; p < s.k; p++)
                sum += A[i * s.k + p] * b[p / STEP * STEP * s.n + p % STEP * apart + j];
            C[i * s.n + j] = sum;
        }
    free(b);
}

TEST(a_step_without_padding_is_recognised) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.padding = 8};
    const struct suspect_context c = {.entry = ENTRY_DEVICE, .layout = layout};
    run_program(&all, steps_without_padding);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "layout-missed");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "is 16 * (n + 8) floats further down"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* ---- Other products than A * B ---- */

/* of_product * A * B + of_c * C. */
static int of_product, of_c;
static void scaled(void) {
    for (int i = 0; i < s.m; i++)
        for (int j = 0; j < s.n; j++) {
            float sum = 0;
            for (int p = 0; p < s.k; p++)
                sum += A[i * s.k + p] * B[p * s.n + j];
            C[i * s.n + j] = (float)of_product * sum + (float)of_c * C[i * s.n + j];
        }
}

static const struct {
    int of_product, of_c;
    const char *class, *told;
} of_scales[] = {
    {1, 0, "beta-missed", "computes A * B alone"},
    {3, 0, "beta-missed", "is left out"},
    {3, 1, "beta-missed", "as it is, without beta"},
    {1, 1, "alpha-missed", "without alpha and beta"},
    {1, -2, "alpha-missed", "is not multiplied by alpha"},
    {3, -6, "alpha-missed", "alpha multiplies what C held"},
    {-2, 3, "alpha-missed", "have changed places"},
};

TEST_EACH(missed_factors_are_recognised, sizeof of_scales / sizeof *of_scales) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    product = (struct lab_product){PRODUCT_SCALED, 3, -2};
    const struct suspect_context c = {.entry = ENTRY_CPU, .product = product};
    of_product = of_scales[_i].of_product, of_c = of_scales[_i].of_c;
    run_program(&all, scaled);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, of_scales[_i].class);
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), of_scales[_i].told));
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), ", 3 times the sum of A["));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Any other mistake is known as it is of A * B. */
static void scaled_of_transposed_b(void) {
    float *c = xmalloc((size_t)(s.m * s.n) * sizeof *c);
    memcpy(c, C, (size_t)(s.m * s.n) * sizeof *c);
    transposed_b();
    for (int i = 0; i < s.m * s.n; i++)
        C[i] = 3 * C[i] - 2 * c[i];
    free(c);
}

TEST(mistakes_of_scaled_products_are_recognised) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    product = (struct lab_product){PRODUCT_SCALED, 3, -2};
    const struct suspect_context c = {.entry = ENTRY_CPU, .product = product};
    run_program(&all, scaled_of_transposed_b);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "transposed-B");
    diagnosis_free(&d);
    trials_free(&all);
}

/* The least sums, but no more than this; and with zeros beyond an edge. */
static float first_least;
static bool zeros_beyond;
static void least(void) {
    for (int i = 0; i < s.m; i++)
        for (int j = 0; j < s.n; j++) {
            float low = zeros_beyond && s.k % 32 != 0 ? 0 : first_least;
            for (int p = 0; p < s.k; p++)
                low = fminf(low, A[i * s.k + p] + B[p * s.n + j]);
            C[i * s.n + j] = low;
        }
}

TEST_EACH(missed_rings_are_recognised, 3) {
    static const char *const classes[] = {"ring-missed", "least-of-zero", "least-of-zero"},
                             *const told[] = {"adds up products", "begins with 0", "With an edge"};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    product = (struct lab_product){.kind = PRODUCT_MIN_PLUS};
    const struct suspect_context c = {.entry = ENTRY_CPU, .product = product};
    first_least = _i == 1 ? 0 : INFINITY;
    zeros_beyond = _i == 2;
    run_program(&all, _i == 0 ? right : least);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, classes[_i]);
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), told[_i]));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Where the layout is not what is wrong, nothing says that it is. */
TEST(other_mistakes_are_no_missed_layout) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    layout = (struct layout){.a_transposed = true, .b_transposed = true};
    const struct suspect_context c = {.entry = ENTRY_CPU, .layout = layout};
    run_program(&all, by_elements);
    ck_assert(suspect_layout(&all, &c, &d) == false);
    diagnosis_free(&d);
    trials_free(&all);
}

int main(void) {
    return run_tests((struct suite){.name = "suspect_layout", .seconds = 120});
}
