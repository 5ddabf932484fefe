/* matrix_test.c: allocation, the generators' exact numbers, and the printed corner. */
#include "common/matrix.h"
#include "common/tests/suite.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(bytes_of_a_matrix) {
    size_t bytes = 1;
    ck_assert(matrix_bytes(3, 5, 4, &bytes));
    ck_assert_uint_eq(bytes, 60);
    ck_assert(matrix_bytes(INT_MAX, 2, 4, &bytes)); /* more elements than an int holds */
    ck_assert_uint_eq(bytes, (size_t)INT_MAX * 8);
    ck_assert(!matrix_bytes(0, 5, 4, &bytes));
    ck_assert(!matrix_bytes(5, -1, 4, &bytes));
    ck_assert(!matrix_bytes(INT_MAX, INT_MAX, 8, &bytes)); /* 2^65 bytes */
    ck_assert_uint_eq(bytes, 0);
}

TEST(allocation) {
    struct matrix M;
    ck_assert_int_eq(matrix_alloc(&M, 3, 7), 0);
    ck_assert_int_eq(M.rows, 3);
    ck_assert_int_eq(M.cols, 7);
    ck_assert_uint_eq((uintptr_t)M.data % 64, 0);
    ck_assert_uint_eq(matrix_count(&M), 21);
    fill_value(M.data, 21, 2.0f);
    matrix_free(&M);
    ck_assert_ptr_null(M.data);
    matrix_free(&M); /* an empty one is fine */

    ck_assert_int_eq(matrix_alloc(&M, 0, 7), EINVAL);
    ck_assert_int_eq(matrix_alloc(&M, 7, -1), EINVAL);
    ck_assert_ptr_null(M.data);
}

TEST(too_large_an_allocation) {
    struct matrix M;
    /* 2^64 bytes, less a little: fits in size_t, but no object is that large. */
    ck_assert_int_eq(matrix_alloc(&M, INT_MAX, INT_MAX), EOVERFLOW);
    ck_assert_ptr_null(M.data);
    ck_assert_int_eq(M.rows, 0);
}

/* The numbers themselves: a report with a seed must give the same inputs on every machine. */
TEST(golden_bits) {
    struct generator g = generator_start(1, 0);
    ck_assert_uint_eq(generator_next(&g), UINT64_C(0x6ec85f1f8547bc0c));
    ck_assert_uint_eq(generator_next(&g), UINT64_C(0x6cf63afcc21a470a));
    g = generator_start(0, 0);
    ck_assert_uint_eq(generator_next(&g), UINT64_C(0x568a9b0b1a2c05ec));
    g = generator_start(UINT64_MAX, 1);
    ck_assert_uint_eq(generator_next(&g), UINT64_C(0xebc890331d26b4c5));
}

TEST(golden_integers) {
    static const float expected[] = {-1, -1, 1, 5, -6, -6, 4, -2, 6, 8};
    float data[10];
    struct generator g = generator_start(1, 0);
    fill_integers(data, 10, -8, 8, &g);
    for (int i = 0; i < 10; ++i)
        ck_assert_float_eq(data[i], expected[i]);
}

TEST(golden_reals) {
    static const float expected[] = {-0x1137a1p-23f, -0x1309c6p-23f, 0xa27b9p-23f, 0x513756p-23f};
    float data[4];
    struct generator g = generator_start(1, 0);
    fill_uniform(data, 4, &g);
    for (int i = 0; i < 4; ++i)
        ck_assert_float_eq(data[i], expected[i]);
}

TEST(streams_differ) {
    struct generator a = generator_start(1, 2);
    struct generator b = generator_start(2, 1);
    struct generator c = generator_start(1, 3);
    uint64_t x = generator_next(&a);
    uint64_t y = generator_next(&b);
    uint64_t z = generator_next(&c);
    ck_assert(x != y && y != z && x != z);
}

TEST(integers_cover_their_range) {
    enum { COUNT = 17000 };
    float *data = malloc(COUNT * sizeof *data);
    int seen[17] = {0};
    struct generator g = generator_start(42, 0);
    fill_integers(data, COUNT, -8, 8, &g);
    for (int i = 0; i < COUNT; ++i) {
        ck_assert(data[i] >= -8 && data[i] <= 8 && data[i] == rintf(data[i]));
        ++seen[(int)data[i] + 8];
    }
    for (int v = 0; v < 17; ++v) /* 1000 expected, standard deviation 31 */
        ck_assert(seen[v] > 800 && seen[v] < 1200);
    fill_integers(data, COUNT, 3, 3, &g);
    for (int i = 0; i < COUNT; ++i)
        ck_assert_float_eq(data[i], 3);
    fill_integers(data, COUNT, INT_MIN, INT_MAX, &g); /* the widest range there is */
    free(data);
}

TEST(reals_cover_their_range) {
    enum { COUNT = 100000 };
    float *data = malloc(COUNT * sizeof *data);
    struct generator g = generator_start(42, 0);
    fill_uniform(data, COUNT, &g);
    double sum = 0;
    float least = 1, most = -1;
    int odd = 0; /* with all 24 bits in use: half of the values are no multiple of 2^-22 */
    for (int i = 0; i < COUNT; ++i) {
        ck_assert(data[i] >= -1 && data[i] < 1);
        sum += data[i];
        least = fminf(least, data[i]);
        most = fmaxf(most, data[i]);
        odd += data[i] * 0x1p22f != rintf(data[i] * 0x1p22f);
    }
    ck_assert(fabs(sum / COUNT) < 0.02);
    ck_assert(least < -0.999f && most > 0.999f);
    ck_assert(odd > COUNT / 2 - 1000 && odd < COUNT / 2 + 1000);
    free(data);
}

TEST(exact_ranges) {
    ck_assert_int_eq(exact_small_range(1), 8);
    ck_assert_int_eq(exact_small_range(1 << 18), 8);
    ck_assert_int_eq(exact_small_range((1 << 18) + 1), 7);
    ck_assert_int_eq(exact_small_range(1 << 24), 1);
    ck_assert_int_eq(exact_small_range((1 << 24) + 1), 0);
    ck_assert_int_eq(exact_small_range(INT_MAX), 0);
    ck_assert_int_eq(exact_wide_range(1), 1 << 15);
    ck_assert_int_eq(exact_wide_range(1024), 1 << 14);
    ck_assert_int_eq(exact_wide_range(8188), 2049);
    ck_assert_int_eq(exact_wide_range(INT_MAX), 0);
    for (int k = 1; k < 1 << 20; k = k * 3 + 1) {
        int64_t small = exact_small_range(k), wide = exact_wide_range(k);
        ck_assert_int_le(k * small * small, 1 << 24);
        ck_assert_int_le(k * wide, 1 << 24);
    }
}

static char *corner(int rows, int cols) {
    char *text = NULL;
    size_t size = 0;
    struct matrix M;
    FILE *f = open_memstream(&text, &size);
    ck_assert_int_eq(matrix_alloc(&M, rows, cols), 0);
    for (size_t i = 0; i < matrix_count(&M); ++i)
        M.data[i] = (float)i;
    matrix_print_corner(f, "M", &M);
    matrix_free(&M);
    fclose(f);
    return text;
}

static int lines(const char *text) {
    int n = 0;
    for (; *text; ++text)
        n += *text == '\n';
    return n;
}

TEST(printed_corner) {
    char *small = corner(2, 3);
    ck_assert_str_eq(small, "M, 2 x 3:\n         0         1         2\n"
                            "         3         4         5\n");
    free(small);
    char *large = corner(100, 11);
    ck_assert_int_eq(lines(large), 12); /* a title, 10 rows, and a row of dots */
    ck_assert_ptr_nonnull(strstr(large, "M, 100 x 11 (its first 10 x 10):\n"));
    ck_assert_ptr_nonnull(strstr(large, "         9  ...\n"));
    ck_assert_ptr_null(strstr(large, "        10"));
    free(large);
}

TEST(a_nan_has_no_sign) {
    char *text = NULL;
    size_t size = 0;
    float value[2] = {-NAN, NAN};
    struct matrix M = {.rows = 1, .cols = 2, .data = value};
    FILE *f = open_memstream(&text, &size);
    matrix_print_corner(f, "M", &M);
    fclose(f);
    ck_assert_str_eq(text, "M, 1 x 2:\n       nan       nan\n");
    free(text);
}

TEST(a_transpose_has_rows_for_columns) {
    const float from[6] = {0, 1, 2, 10, 11, 12}, want[6] = {0, 10, 1, 11, 2, 12};
    float to[6];
    matrix_transpose(to, from, 2, 3);
    for (int i = 0; i < 6; ++i)
        ck_assert(to[i] == want[i]);
}

int main(void) {
    return run_tests((struct suite){.name = "matrix"});
}
