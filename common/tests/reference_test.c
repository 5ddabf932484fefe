/* reference_test.c: both engines against a plain triple loop,
 * over shapes around every block edge. */
#include "common/matrix.h"
#include "common/reference.h"
#include "common/tests/suite.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

struct shape {
    int m, n, k;
};

/* Tiles are 4 x 8, our blocks 128 x 256 x 256, those of CBLAS 1024. */
static const struct shape shapes[] = {
    {1, 1, 1},     {1, 7, 3},     {5, 1, 9},      {4, 8, 16},    {3, 9, 257},  {127, 255, 31},
    {128, 256, 1}, {129, 257, 2}, {130, 40, 300}, {1025, 3, 17}, {2, 1030, 5}, {6, 9, 1027},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static double plain(struct shape s, const float *A, const float *B, int i, int j, bool absolute) {
    double sum = 0;
    for (int p = 0; p < s.k; ++p) {
        double product = (double)A[(size_t)i * s.k + p] * (double)B[(size_t)p * s.n + j];
        sum += absolute ? fabs(product) : product;
    }
    return sum;
}

/* Runs one engine on one shape. Integers: exact. Reals: within the error of float64 sums. */
static void check_shape(struct shape s, enum reference_engine engine, int threads, bool reals,
                        bool absolute) {
    struct matrix A, B;
    struct generator g = generator_start(s.m * 31 + s.k, 0);
    ck_assert_int_eq(matrix_alloc(&A, s.m, s.k), 0);
    ck_assert_int_eq(matrix_alloc(&B, s.k, s.n), 0);
    if (reals) {
        fill_uniform(A.data, matrix_count(&A), &g);
        fill_uniform(B.data, matrix_count(&B), &g);
    } else {
        fill_integers(A.data, matrix_count(&A), -8, 8, &g);
        fill_integers(B.data, matrix_count(&B), -8, 8, &g);
    }
    size_t count = (size_t)s.m * s.n;
    double *C = malloc(count * sizeof *C);
    for (size_t e = 0; e < count; ++e)
        C[e] = NAN; /* what is there must not matter */
    int error = absolute ? reference_magnitude(s.m, s.n, s.k, A.data, B.data, C, engine, threads)
                         : reference_product(s.m, s.n, s.k, A.data, B.data, C, engine, threads);
    ck_assert_int_eq(error, 0);
    for (int i = 0; i < s.m; ++i)
        for (int j = 0; j < s.n; ++j) {
            double want = plain(s, A.data, B.data, i, j, absolute);
            double bound = reals ? s.k * 0x1p-52 * plain(s, A.data, B.data, i, j, true) : 0;
            double got = C[(size_t)i * s.n + j];
            ck_assert_msg(fabs(got - want) <= bound, "%dx%dx%d (%d, %d): got %.17g, want %.17g",
                          s.m, s.n, s.k, i, j, got, want);
        }
    free(C);
    matrix_free(&A);
    matrix_free(&B);
}

TEST_EACH(own_engine, SHAPES) {
    struct shape s = shapes[_i];
    check_shape(s, REFERENCE_OWN, 1, false, false);
    check_shape(s, REFERENCE_OWN, 3, false, false);
    check_shape(s, REFERENCE_OWN, 0, true, false);
    check_shape(s, REFERENCE_OWN, 2, true, true);
    check_shape(s, REFERENCE_OWN, 1000, false, true); /* more threads than there may be */
}

TEST_EACH(cblas_engine, SHAPES) {
    struct shape s = shapes[_i];
    if (!reference_has_cblas())
        return;
    check_shape(s, REFERENCE_CBLAS, 0, false, false);
    check_shape(s, REFERENCE_CBLAS, 0, true, false);
    check_shape(s, REFERENCE_CBLAS, 0, true, true);
}

TEST_EACH(automatic_choice, SHAPES) {
    check_shape(shapes[_i], REFERENCE_AUTO, 0, false, false);
    check_shape(shapes[_i], REFERENCE_AUTO, 0, true, true);
}

TEST(many_threads_share_many_rows) {
    struct shape s = {.m = 333, .n = 120, .k = 130}; /* large enough that threads are used */
    for (int threads = 1; threads <= 7; ++threads)
        check_shape(s, REFERENCE_OWN, threads, false, false);
}

TEST(refusals) {
    float x = 1;
    double c = 0;
    ck_assert_int_eq(reference_product(0, 1, 1, &x, &x, &c, REFERENCE_AUTO, 0), EINVAL);
    ck_assert_int_eq(reference_product(1, -1, 1, &x, &x, &c, REFERENCE_OWN, 0), EINVAL);
    ck_assert_int_eq(reference_magnitude(1, 1, 0, &x, &x, &c, REFERENCE_OWN, 0), EINVAL);
    int expected = reference_has_cblas() ? 0 : ENOTSUP;
    ck_assert_int_eq(reference_product(1, 1, 1, &x, &x, &c, REFERENCE_CBLAS, 0), expected);
    ck_assert_int_ge(reference_default_threads(), 1);
}

/* Paths of length 2 in a square of four vertices with one diagonal: checked by hand. */
TEST(counting_paths) {
    static const float edges[16] = {0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0};
    static const double two[16] = {3, 1, 2, 1, 1, 2, 1, 2, 2, 1, 3, 1, 1, 2, 1, 2};
    double C[16];
    ck_assert_int_eq(reference_product(4, 4, 4, edges, edges, C, REFERENCE_OWN, 1), 0);
    for (int e = 0; e < 16; ++e)
        ck_assert_double_eq(C[e], two[e]);
}

int main(void) {
    return run_tests((struct suite){.name = "reference"});
}
