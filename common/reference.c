/*
 * reference.c: see reference.h.
 *
 * Both engines walk C in blocks and convert the pieces of A and B that a block needs to float64, in
 * buffers of fixed size: the float64 copies never grow with the matrices.
 *
 *                     j0      width
 *                  +------+---------+--+
 *                  |      |         |  |
 *               p0 |      | piece B |  | depth
 *                  |      |         |  |
 *         p0       +------+---------+--+
 *      +-------+---+------+---------+--+
 *      |       |   |      |         |  |
 *   i0 |piece A|   |      | block C |  | height      block C += piece A * piece B, for all p0
 *      +-------+---+------+---------+--+
 */
#include "common/reference.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_CBLAS
#include <cblas.h>
#endif

/* The piece sizes of an engine, in elements. */
struct blocking {
    int height, width, depth;
};

/* Our own: piece A (256 KB) and piece B (512 KB) fit in a core's second-level cache. */
static const struct blocking own_blocking = {.height = 128, .width = 256, .depth = 256};

/* CBLAS blocks for the caches by itself; what counts is that a call is large enough for its
 * threads, and that the buffers stay within 24 MB. */
#ifdef HAVE_CBLAS
static const struct blocking cblas_blocking = {.height = 1024, .width = 1024, .depth = 1024};
#endif

enum { TILE_ROWS = 4, TILE_COLS = 8, MAX_THREADS = 64 };

typedef void multiply_piece(int height, int width, int depth, const double *A, int lda,
                            const double *B, int ldb, double *C, size_t ldc);

/* One thread's share: rows [first, last) of C. */
struct share {
    int first, last;
    int n, k;
    const float *A, *B;
    double *C;
    bool absolute; /* multiply |A| and |B| instead */
    struct blocking blocking;
    multiply_piece *multiply;
    int error;
};

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* C (rows x cols, at most TILE_ROWS x TILE_COLS) += A * B, summed up in registers. */
static void multiply_tile(int rows, int cols, int depth, const double *A, int lda, const double *B,
                          int ldb, double *C, size_t ldc) {
    double sum[TILE_ROWS][TILE_COLS] = {{0}};
    if (rows == TILE_ROWS && cols == TILE_COLS) {
        for (int p = 0; p < depth; ++p)
            for (int i = 0; i < TILE_ROWS; ++i)
                for (int j = 0; j < TILE_COLS; ++j)
                    sum[i][j] += A[(size_t)i * lda + p] * B[(size_t)p * ldb + j];
    } else {
        for (int p = 0; p < depth; ++p)
            for (int i = 0; i < rows; ++i)
                for (int j = 0; j < cols; ++j)
                    sum[i][j] += A[(size_t)i * lda + p] * B[(size_t)p * ldb + j];
    }
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            C[(size_t)i * ldc + j] += sum[i][j];
}

static void multiply_own(int height, int width, int depth, const double *A, int lda,
                         const double *B, int ldb, double *C, size_t ldc) {
    for (int j = 0; j < width; j += TILE_COLS)
        for (int i = 0; i < height; i += TILE_ROWS)
            multiply_tile(smaller(TILE_ROWS, height - i), smaller(TILE_COLS, width - j), depth,
                          A + (size_t)i * lda, lda, B + j, ldb, C + (size_t)i * ldc + j, ldc);
}

#ifdef HAVE_CBLAS
static void multiply_cblas(int height, int width, int depth, const double *A, int lda,
                           const double *B, int ldb, double *C, size_t ldc) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, height, width, depth, 1.0, A, lda, B,
                ldb, 1.0, C, (int)ldc);
}
#endif

/* Converts a piece of a float matrix whose rows start `from_ld` elements apart. */
static void convert(int rows, int cols, const float *from, size_t from_ld, double *to, int to_ld,
                    bool absolute) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) {
            double v = (double)from[(size_t)i * from_ld + j];
            to[(size_t)i * to_ld + j] = absolute ? fabs(v) : v;
        }
}

static void *run_share(void *argument) {
    struct share *s = argument;
    /* Small products need no full-size buffers. */
    int height = smaller(s->blocking.height, s->last - s->first);
    int width = smaller(s->blocking.width, s->n);
    int depth = smaller(s->blocking.depth, s->k);
    double *piece_A = malloc((size_t)height * depth * sizeof(double));
    double *piece_B = malloc((size_t)depth * width * sizeof(double));
    s->error = piece_A && piece_B ? 0 : ENOMEM;

    for (int j0 = 0, w; s->error == 0 && j0 < s->n; j0 += w) {
        w = smaller(width, s->n - j0);
        for (int p0 = 0, d; p0 < s->k; p0 += d) {
            d = smaller(depth, s->k - p0);
            convert(d, w, s->B + (size_t)p0 * s->n + j0, s->n, piece_B, width, s->absolute);
            for (int i0 = s->first, h; i0 < s->last; i0 += h) {
                h = smaller(height, s->last - i0);
                convert(h, d, s->A + (size_t)i0 * s->k + p0, s->k, piece_A, depth, s->absolute);
                s->multiply(h, w, d, piece_A, depth, piece_B, width, s->C + (size_t)i0 * s->n + j0,
                            s->n);
            }
        }
    }
    free(piece_A);
    free(piece_B);
    return NULL;
}

/* Splits the rows of C among threads. A thread that cannot be started is no error: its share is run
 * here. */
static int run_threads(const struct share *whole, int threads) {
    struct share share[MAX_THREADS];
    pthread_t thread[MAX_THREADS];
    bool started[MAX_THREADS] = {false};
    int rows = whole->last;

    for (int t = 0; t < threads; ++t) {
        share[t] = *whole;
        share[t].first = (int)((int64_t)rows * t / threads);
        share[t].last = (int)((int64_t)rows * (t + 1) / threads);
        if (t > 0)
            started[t] = pthread_create(&thread[t], NULL, run_share, &share[t]) == 0;
    }
    int error = 0;
    for (int t = 0; t < threads; ++t) {
        if (started[t])
            pthread_join(thread[t], NULL);
        else
            run_share(&share[t]);
        error = error ? error : share[t].error;
    }
    return error;
}

bool reference_has_cblas(void) {
#ifdef HAVE_CBLAS
    return true;
#else
    return false;
#endif
}

int reference_default_threads(void) {
    cpu_set_t set;
    int cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                           : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return cpus < 1 ? 1 : smaller(cpus, MAX_THREADS);
}

static int reference(int m, int n, int k, const float *A, const float *B, double *C,
                     enum reference_engine engine, int threads, bool absolute) {
    if (m < 1 || n < 1 || k < 1)
        return EINVAL;
    if (engine == REFERENCE_CBLAS && !reference_has_cblas())
        return ENOTSUP;
    memset(C, 0, (size_t)m * n * sizeof(double));

    struct share whole = {.last = m, .n = n, .k = k, .A = A, .B = B, .C = C, .absolute = absolute};
    double work = (double)m * n * k;
    whole.blocking = own_blocking;
    whole.multiply = multiply_own;
#ifdef HAVE_CBLAS
    /* Below a 128-cube, waking up the library's threads costs more than the product. */
    if (engine == REFERENCE_CBLAS || (engine == REFERENCE_AUTO && work >= 0x1p21)) {
        whole.blocking = cblas_blocking;
        whole.multiply = multiply_cblas;
        return run_threads(&whole, 1); /* the library has its own threads */
    }
#endif
    threads = threads < 1 ? reference_default_threads() : smaller(threads, MAX_THREADS);
    threads = smaller(threads, m);
    return run_threads(&whole, work < 0x1p18 ? 1 : threads);
}

int reference_product(int m, int n, int k, const float *A, const float *B, double *C,
                      enum reference_engine engine, int threads) {
    return reference(m, n, k, A, B, C, engine, threads, false);
}

int reference_magnitude(int m, int n, int k, const float *A, const float *B, double *C,
                        enum reference_engine engine, int threads) {
    return reference(m, n, k, A, B, C, engine, threads, true);
}
