/* matrix.c: see matrix.h. */
#include "common/matrix.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, CORNER = 10 };

/* Integers of at most this size have exactly one float each: the 24 bits of the significand. */
static const int64_t exact_limit = (int64_t)1 << 24;

bool matrix_bytes(int rows, int cols, size_t element, size_t *bytes) {
    size_t count, product;
    bool fits = rows >= 1 && cols >= 1 &&
                !__builtin_mul_overflow((size_t)rows, (size_t)cols, &count) &&
                !__builtin_mul_overflow(count, element, &product);
    *bytes = fits ? product : 0;
    return fits;
}

int matrix_alloc(struct matrix *M, int rows, int cols) {
    size_t bytes;
    *M = (struct matrix){0};
    if (rows < 1 || cols < 1)
        return EINVAL;
    if (!matrix_bytes(rows, cols, sizeof(float), &bytes) || bytes > PTRDIFF_MAX)
        return EOVERFLOW;
    void *data;
    if (posix_memalign(&data, ALIGNMENT, bytes) != 0)
        return ENOMEM;
    *M = (struct matrix){.rows = rows, .cols = cols, .data = data};
    return 0;
}

void matrix_free(struct matrix *M) {
    free(M->data);
    *M = (struct matrix){0};
}

double matrix_shown(float value) {
    return isnan(value) ? (double)NAN : (double)value;
}

void matrix_transpose(float *to, const float *from, int rows, int cols) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            to[(size_t)j * (size_t)rows + (size_t)i] = from[(size_t)i * (size_t)cols + (size_t)j];
}

size_t layout_count(struct layout layout, int rows, int cols) {
    return (size_t)rows * ((size_t)cols + (size_t)layout.padding);
}

void matrix_spread(float *to, const float *from, int rows, int cols, int padding) {
    const size_t width = (size_t)cols, apart = width + (size_t)padding;
    for (size_t i = 0; i < (size_t)rows; ++i)
        memcpy(to + i * apart, from + i * width, width * sizeof *to);
}

void matrix_gather(float *to, const float *from, int rows, int cols, int padding) {
    const size_t width = (size_t)cols, apart = width + (size_t)padding;
    for (size_t i = 0; i < (size_t)rows; ++i)
        memcpy(to + i * width, from + i * apart, width * sizeof *to);
}

void matrix_print_corner(FILE *out, const char *title, const struct matrix *M) {
    int rows = M->rows < CORNER ? M->rows : CORNER;
    int cols = M->cols < CORNER ? M->cols : CORNER;
    fprintf(out, "%s, %d x %d", title, M->rows, M->cols);
    if (rows < M->rows || cols < M->cols)
        fprintf(out, " (its first %d x %d)", rows, cols);
    fprintf(out, ":\n");
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j)
            fprintf(out, " %9.6g", matrix_shown(M->data[(size_t)i * M->cols + j]));
        fprintf(out, "%s\n", cols < M->cols ? "  ..." : "");
    }
    if (rows < M->rows)
        fprintf(out, "       ...\n");
}

/* splitmix64 (Steele, Lea, Flood 2014): a counter, and a mixer that spreads its bits. */
static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static const uint64_t golden_ratio = UINT64_C(0x9e3779b97f4a7c15);

struct generator generator_start(uint64_t seed, uint64_t stream) {
    /* Mixing the seed before the stream is added keeps (seed 1, stream 2) apart from (2, 1). */
    return (struct generator){.state = mix(mix(seed + golden_ratio) + stream)};
}

uint64_t generator_next(struct generator *g) {
    return mix(g->state += golden_ratio);
}

void fill_integers(float *data, size_t count, int low, int high, struct generator *g) {
    uint64_t values = (uint64_t)((int64_t)high - low + 1);
    for (size_t i = 0; i < count; ++i) {
        /* 32 random bits times the number of values: the high half is a fair draw (but for a bias
         * below values / 2^32, which no test here could see). */
        uint64_t draw = ((generator_next(g) >> 32) * values) >> 32;
        data[i] = (float)(low + (int64_t)draw);
    }
}

void fill_uniform(float *data, size_t count, struct generator *g) {
    const int64_t middle = exact_limit / 2;
    for (size_t i = 0; i < count; ++i) {
        int64_t draw = (int64_t)(generator_next(g) >> 40); /* 0 .. 2^24 - 1 */
        data[i] = (float)(draw - middle) * 0x1p-23f;
    }
}

void fill_value(float *data, size_t count, float value) {
    for (size_t i = 0; i < count; ++i)
        data[i] = value;
}

int exact_small_range(int k) {
    int r = 8;
    while (r > 0 && (int64_t)k * r * r > exact_limit)
        --r;
    return r;
}

int exact_wide_range(int k) {
    int64_t r = exact_limit / k;
    return (int)(r < (1 << 15) ? r : 1 << 15);
}
