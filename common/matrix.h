/*
 * matrix.h: float matrices for the programs around a lab: allocation, deterministic contents, and
 * a printed corner.
 *
 * Matrices are row-major and contiguous, as in lab.h. Sizes count elements. The same seed gives the
 * same numbers on every machine, compiler and C library: the generator is our own (splitmix64).
 *
 * Refuses sizes whose bytes no object can have; never ends the program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A matrix that owns its elements. All zeros (data NULL) is a valid, empty matrix. */
struct matrix {
    int rows, cols;
    float *data; /* rows * cols elements; element (i, j) is data[(size_t)i * cols + j] */
};

/* The bytes of rows x cols elements of `element` bytes each. False when a size is below 1 or the
 * product doesn't fit in size_t; *bytes is then 0. */
bool matrix_bytes(int rows, int cols, size_t element, size_t *bytes);

/* Allocates M (contents unspecified, aligned to 64 bytes). Returns 0, EINVAL (a size below 1),
 * EOVERFLOW or ENOMEM; M is empty after an error. The caller frees it with matrix_free. */
int matrix_alloc(struct matrix *M, int rows, int cols);

/* Frees M's elements and empties it. An empty matrix is fine. */
void matrix_free(struct matrix *M);

static inline size_t matrix_count(const struct matrix *M) {
    return (size_t)M->rows * (size_t)M->cols;
}

/* How A and B lie in memory: plain, row by row, or transposed, column by column. Transposed,
 * element (i, p) of an m x k matrix A is A[p * m + i]. Or all three are parts of larger matrices:
 * after each row lie `padding` floats that belong to others, so that element (i, p) of A is
 * A[i * (k + padding) + p]. Transposed matrices have no padding. */
struct layout {
    bool a_transposed, b_transposed;
    int padding;
};

/* Floats that a matrix takes up in memory, with its padding. */
size_t layout_count(struct layout layout, int rows, int cols);

/* From rows without padding to rows with it, and back; the padding itself stays as it is. */
void matrix_spread(float *to, const float *from, int rows, int cols, int padding);
void matrix_gather(float *to, const float *from, int rows, int cols, int padding);

/* to, cols x rows, becomes the transpose of from, rows x cols. They must not overlap. */
void matrix_transpose(float *to, const float *from, int rows, int cols);

/* Prints the title, and at most the first 10 rows and columns. */
void matrix_print_corner(FILE *out, const char *title, const struct matrix *M);

/* The value as it is to be printed: a NaN without its sign, which printf would show and which means
 * nothing. */
double matrix_shown(float value);

/* ---- Contents ---- */

/* A stream of random numbers. One stream per matrix: streams of one seed are unrelated. */
struct generator {
    uint64_t state;
};

struct generator generator_start(uint64_t seed, uint64_t stream);

/* The next 64 random bits. */
uint64_t generator_next(struct generator *g);

/* Integers low, low + 1, …, high (low <= high), equally likely. */
void fill_integers(float *data, size_t count, int low, int high, struct generator *g);

/* Reals in [-1, 1): multiples of 2^-23, so that all 24 bits of a float's significand are in use and
 * no input is rounded. */
void fill_uniform(float *data, size_t count, struct generator *g);

/* The same value everywhere; a NaN poisons an output, so that an element never written shows. */
void fill_value(float *data, size_t count, float value);

/*
 * How large integer inputs may be for float32 to be exact.
 *
 * Every integer up to 2^24 is a float. A sum of k products |a| <= max_a, |b| <= max_b never leaves
 * that range, in whatever order it is summed, while k * max_a * max_b <= 2^24. Then any correct
 * product is exact, and any difference is a mistake.
 *
 *   exact_small_range: the largest r <= 8 with k * r * r <= 2^24; 0 when even r = 1 is too large
 *                      (k > 2^24): then use reals and the error bound.
 *   exact_wide_range:  the largest r <= 2^15 with k * r <= 2^24, for A in -r..r against B in -1..1.
 *                      From r = 2049 on (k <= 8188), A needs 12 bits or more: products in half
 *                      precision or TF32, which keep 11, come out wrong.
 */
int exact_small_range(int k);
int exact_wide_range(int k);
