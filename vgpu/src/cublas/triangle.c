/*
 * triangle.c: cuBLAS calls with a matrix of which one triangle is stored: symmetric ones (symv,
 * symm, syr, syrk) and triangular ones (trmv, trmm, trsv, trsm).
 *
 * All but syr and syrk do the same: A is spread out as doubles, op(A) row by row, and each strip of
 * B goes through it. A strip is a column of B, or a row where A stands on the right, and then it is
 * op(A) transposed that it goes through. A vector is a matrix of one strip. Nothing of A's other
 * triangle is read, and nothing of a diagonal that is said to be ones.
 */
#include "vgpu/src/cublas/vector.h"

#include <stdlib.h>

enum work { MULTIPLIES, SOLVES };

typedef struct call {
    enum vg_real type;
    enum vj_blas_call journal;
    enum work work;
    bool symmetric;
    cublasSideMode_t side;
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    cublasDiagType_t diag;
    int m, n; /* of B and C; of a vector: n of A, and 1 */
    const void *alpha, *a, *b, *beta;
    void *c; /* where the result goes; solving, that is B */
    int lda, ldb, ldc;
    bool vector; /* ldb and ldc are the steps of x and y */
} call;

/* B or C, host addresses: strip s has its element i at first + s * next + i * step. */
typedef struct strips {
    void *at;
    int64_t first, next, step;
} strips;

static int64_t side_of(const call *g) {
    return g->side == CUBLAS_SIDE_LEFT ? g->m : g->n;
}

static bool stored(cublasFillMode_t uplo, int64_t i, int64_t j) {
    return uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

/* ---- arguments ---- */

static cublasStatus_t wrong_choice(vg_blas *b, const char *name, int value) {
    return vg_blas_invalid(b, VG_NOTE(BLAS_CHOICE, .name = name, .is.number = {value}));
}

static cublasStatus_t check_leading(vg_blas *b, const char *name, int ld, int64_t rows) {
    if (ld < (rows > 1 ? rows : 1))
        return vg_blas_invalid(b, VG_NOTE(BLAS_LEADING, .other = name, .is.number = {ld, rows}));
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_choices(vg_blas *b, cublasSideMode_t side, cublasFillMode_t uplo,
                                    cublasOperation_t trans, cublasDiagType_t diag) {
    if ((unsigned)side > CUBLAS_SIDE_RIGHT)
        return wrong_choice(b, "side", (int)side);
    if ((unsigned)uplo > CUBLAS_FILL_MODE_UPPER)
        return wrong_choice(b, "uplo", (int)uplo);
    if (!is_operation(trans))
        return vg_blas_invalid(b, VG_NOTE(BLAS_OPERATION, .is.number = {(int)trans}));
    if ((unsigned)diag > CUBLAS_DIAG_UNIT)
        return wrong_choice(b, "diag", (int)diag);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check(vg_blas *b, const call *g) {
    cublasStatus_t status = check_choices(b, g->side, g->uplo, g->trans, g->diag);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (g->m < 0 || g->n < 0)
        return vg_blas_invalid(b, VG_NOTE(BLAS_NEGATIVE_SIDE, .is.number = {g->m, g->n}));
    status = check_leading(b, "A", g->lda, side_of(g));
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (g->vector)
        return g->ldb == 0 || g->ldc == 0
                   ? vg_blas_invalid(b, VG_NOTE(BLAS_STEP, .is.number = {g->ldb, g->ldc}))
                   : CUBLAS_STATUS_SUCCESS;
    status = check_leading(b, "B", g->ldb, g->m);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = check_leading(b, "C", g->ldc, g->m);
    if (status == CUBLAS_STATUS_SUCCESS && g->b == g->c && (g->ldb != g->ldc || g->symmetric))
        return vg_blas_invalid(b, VG_NOTE(BLAS_IN_PLACE));
    return status;
}

/* ---- operands ---- */

static bool take_strips(vg_blas *b, const call *g, const char *name, const void *at, int ld,
                        bool reads, strips *s) {
    const bool left = g->side == CUBLAS_SIDE_LEFT;
    if (g->vector) {
        vec v;
        const char *letter = name[0] == 'B' ? "x" : "y";
        if (!take_vector(b, letter, g->type, at, side_of(g), ld, reads, &v))
            return false;
        *s = (strips){.at = v.at, .first = v.first, .step = v.inc};
        return true;
    }
    if (reads)
        vg_blas_reads(b, name, g->type, at, g->m, g->n, ld);
    *s = (strips){.at = vg_blas_matrix(b, name, g->type, at, g->m, g->n, ld),
                  .next = left ? ld : 1,
                  .step = left ? 1 : ld};
    return s->at;
}

/* What strips go through, row by row. */
static double *spread(const call *g, const void *a) {
    const int64_t n = side_of(g);
    const bool turned = (g->trans != CUBLAS_OP_N) != (g->side == CUBLAS_SIDE_RIGHT);
    double *d = calloc((size_t)(n * n), sizeof *d);
    for (int64_t j = 0; d && j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            if (!stored(g->uplo, i, j))
                continue;
            const bool one = i == j && g->diag == CUBLAS_DIAG_UNIT;
            const double value = one ? 1.0 : vg_get(g->type, a, i + j * g->lda);
            if (!turned || g->symmetric)
                d[i * n + j] = value;
            if (turned || g->symmetric)
                d[j * n + i] = value;
        }
    return d;
}

/* ---- the work ---- */

static void multiply(const double *d, int64_t n, double *to, const double *from) {
    for (int64_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < n; j++)
            sum += d[i * n + j] * from[j];
        to[i] = sum;
    }
}

/* x with D x = b; D is a triangle. */
static void solve(const double *d, int64_t n, bool lower, double *x, const double *b) {
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = lower ? k : n - 1 - k;
        const int64_t from = lower ? 0 : i + 1;
        const int64_t to = lower ? i : n;
        double sum = b[i];
        for (int64_t j = from; j < to; j++)
            sum -= d[i * n + j] * x[j];
        x[i] = sum / d[i * n + i];
    }
}

static void compute(const call *g, const double *d, double *room, double alpha, double beta,
                    const strips *b, const strips *c) {
    const int64_t n = side_of(g), count = g->vector ? 1 : g->m + (int64_t)g->n - n;
    const bool turned = (g->trans != CUBLAS_OP_N) != (g->side == CUBLAS_SIDE_RIGHT);
    const bool lower = (g->uplo == CUBLAS_FILL_MODE_LOWER) != turned;
    double *in = room, *out = room + n;
    for (int64_t s = 0; s < count; s++) {
        for (int64_t i = 0; alpha != 0.0 && i < n; i++)
            in[i] = vg_get(g->type, b->at, b->first + s * b->next + i * b->step);
        if (alpha == 0.0)
            for (int64_t i = 0; i < n; i++)
                out[i] = 0.0;
        else if (g->work == SOLVES)
            solve(d, n, lower, out, in);
        else
            multiply(d, n, out, in);
        for (int64_t i = 0; i < n; i++) {
            const int64_t at = c->first + s * c->next + i * c->step;
            const double old = beta == 0.0 ? 0.0 : beta * vg_get(g->type, c->at, at);
            vg_set(g->type, c->at, at, (alpha == 0.0 ? 0.0 : alpha * out[i]) + old);
        }
    }
}

static void write_down(const vg_blas *b, const call *g, double alpha, double beta) {
    vg_journal_blas(b->ctx, &(struct vj_blas){.call = g->journal,
                                              .twice = g->type == VG_F64,
                                              .transa = g->trans,
                                              .shape = vj_shape(g->side, g->uplo, g->diag),
                                              .m = g->m,
                                              .n = g->n,
                                              .alpha = alpha,
                                              .beta = beta,
                                              .a = addr_of(g->a),
                                              .lda = g->lda,
                                              .b = addr_of(g->b),
                                              .ldb = g->ldb,
                                              .c = addr_of(g->c),
                                              .ldc = g->ldc});
}

static cublasStatus_t body(vg_blas *b, const call *g) {
    double alpha = 1.0;
    double beta = 0.0;
    strips from;
    strips to;
    const int64_t n = side_of(g);
    cublasStatus_t status = check(b, g);
    if (status == CUBLAS_STATUS_SUCCESS && g->alpha)
        status = vg_blas_scalar(b, "alpha", g->type, g->alpha, &alpha);
    if (status == CUBLAS_STATUS_SUCCESS && g->beta)
        status = vg_blas_scalar(b, "beta", g->type, g->beta, &beta);
    if (status != CUBLAS_STATUS_SUCCESS || b->faulted || g->m == 0 || g->n == 0)
        return status;
    if (alpha != 0.0)
        vg_blas_reads_triangle(b, "A", g->type, g->a, n, g->lda, g->uplo == CUBLAS_FILL_MODE_LOWER,
                               g->diag == CUBLAS_DIAG_UNIT);
    const void *a = vg_blas_matrix(b, "A", g->type, g->a, n, n, g->lda);
    if (!a || !take_strips(b, g, "B", g->b, g->ldb, alpha != 0.0, &from) ||
        !take_strips(b, g, "C", g->c, g->ldc, beta != 0.0, &to))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    double *d = spread(g, a);
    double *room = calloc((size_t)n * 2, sizeof *room);
    if (d && room) {
        if (g->vector)
            vg_blas_writes_vector(b, g->type, g->c, n, g->ldc);
        else
            vg_blas_writes(b, g->type, g->c, g->m, g->n, g->ldc);
        write_down(b, g, alpha, beta);
        compute(g, d, room, alpha, beta, &from, &to);
    } else {
        status = CUBLAS_STATUS_ALLOC_FAILED;
    }
    free(d);
    free(room);
    return status;
}

/* alpha and beta are needed where a call has them. */
static cublasStatus_t run(const char *name, cublasHandle_t handle, const call *g, bool has_alpha,
                          bool has_beta) {
    vg_blas b;
    cublasStatus_t status = begin(&b, handle, name);
    if (status == CUBLAS_STATUS_SUCCESS && has_alpha && !g->alpha)
        status = vg_blas_invalid(&b, VG_NOTE(BLAS_NULL_SCALAR, .name = "alpha"));
    if (status == CUBLAS_STATUS_SUCCESS && has_beta && !g->beta)
        status = vg_blas_invalid(&b, VG_NOTE(BLAS_NULL_SCALAR, .name = "beta"));
    if (status == CUBLAS_STATUS_SUCCESS)
        status = body(&b, g);
    return vg_blas_end(&b, status);
}

/* ---- C = alpha op(A) op(A)' + beta C, of which one triangle is written: syr, syrk ---- */

typedef struct update {
    enum vg_real type;
    enum vj_blas_call journal;
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    int n, k;
    const void *alpha, *a;
    int lda; /* syr: the step of x, and k is 1 */
    const void *beta;
    void *c;
    int ldc;
} update;

static cublasStatus_t update_check(vg_blas *b, const update *g) {
    const bool turned = g->trans != CUBLAS_OP_N;
    cublasStatus_t status =
        check_choices(b, CUBLAS_SIDE_LEFT, g->uplo, g->trans, CUBLAS_DIAG_NON_UNIT);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (g->n < 0 || g->k < 0)
        return vg_blas_invalid(b, VG_NOTE(BLAS_NEGATIVE_SIDE, .is.number = {g->n, g->k}));
    if (g->journal == VJ_SYR && g->lda == 0)
        return vg_blas_invalid(b, VG_NOTE(BLAS_STEP, .is.number = {g->lda, 1}));
    if (g->journal == VJ_SYRK)
        status = check_leading(b, "A", g->lda, turned ? g->k : g->n);
    return status == CUBLAS_STATUS_SUCCESS
               ? check_leading(b, g->journal == VJ_SYR ? "A" : "C", g->ldc, g->n)
               : status;
}

/* op(A), n rows of k doubles; NULL: no memory, or outside. */
static double *update_operand(vg_blas *b, const update *g) {
    const bool turned = g->trans != CUBLAS_OP_N;
    const int64_t n = g->n, k = g->k;
    vec x = {0};
    if (g->journal == VJ_SYR) {
        if (!take_vector(b, "x", g->type, g->a, n, g->lda, true, &x))
            return NULL;
    } else {
        const int64_t rows = turned ? k : n, cols = turned ? n : k;
        vg_blas_reads(b, "A", g->type, g->a, rows, cols, g->lda);
        x.at = vg_blas_matrix(b, "A", g->type, g->a, rows, cols, g->lda);
        if (!x.at)
            return NULL;
    }
    double *d = malloc((size_t)(n * k + 1) * sizeof *d);
    for (int64_t i = 0; d && i < n; i++)
        for (int64_t p = 0; p < k; p++)
            d[i * k + p] = g->journal == VJ_SYR ? get(g->type, &x, i)
                           : turned             ? vg_get(g->type, x.at, p + i * g->lda)
                                                : vg_get(g->type, x.at, i + p * g->lda);
    return d;
}

static void update_compute(const update *g, const double *d, void *c, double alpha, double beta) {
    const int64_t n = g->n, k = g->k;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            if (!stored(g->uplo, i, j))
                continue;
            double sum = 0.0;
            for (int64_t p = 0; d && p < k; p++)
                sum += d[i * k + p] * d[j * k + p];
            const int64_t at = i + j * g->ldc;
            vg_set(g->type, c, at,
                   alpha * sum + (beta == 0.0 ? 0.0 : beta * vg_get(g->type, c, at)));
        }
}

static cublasStatus_t update_body(vg_blas *b, const update *g) {
    double alpha = 0.0;
    double beta = 1.0;
    cublasStatus_t status = update_check(b, g);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(b, "alpha", g->type, g->alpha, &alpha);
    if (status == CUBLAS_STATUS_SUCCESS && g->journal == VJ_SYRK)
        status = vg_blas_scalar(b, "beta", g->type, g->beta, &beta);
    const bool adds = alpha != 0.0 && g->k > 0;
    if (status != CUBLAS_STATUS_SUCCESS || b->faulted || g->n == 0 || (!adds && beta == 1.0))
        return status;
    const char *name = g->journal == VJ_SYR ? "A" : "C";
    if (beta != 0.0)
        vg_blas_reads_triangle(b, name, g->type, g->c, g->n, g->ldc,
                               g->uplo == CUBLAS_FILL_MODE_LOWER, false);
    void *c = vg_blas_matrix(b, name, g->type, g->c, g->n, g->n, g->ldc);
    double *d = c && adds ? update_operand(b, g) : NULL;
    if (c && (d || !adds)) {
        vg_blas_writes_triangle(b, g->type, g->c, g->n, g->ldc, g->uplo == CUBLAS_FILL_MODE_LOWER);
        vg_journal_blas(b->ctx, &(struct vj_blas){.call = g->journal,
                                                  .twice = g->type == VG_F64,
                                                  .transa = g->trans,
                                                  .shape = vj_shape(0, g->uplo, 0),
                                                  .m = g->k,
                                                  .n = g->n,
                                                  .alpha = alpha,
                                                  .beta = beta,
                                                  .a = addr_of(g->a),
                                                  .lda = g->lda,
                                                  .c = addr_of(g->c),
                                                  .ldc = g->ldc});
        update_compute(g, d, c, alpha, beta);
    } else {
        status = b->faulted ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_ALLOC_FAILED;
    }
    free(d);
    return status;
}

static cublasStatus_t run_update(const char *name, cublasHandle_t handle, const update *g) {
    vg_blas b;
    cublasStatus_t status = begin(&b, handle, name);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = update_body(&b, g);
    return vg_blas_end(&b, status);
}

/* ---- the calls, for both types ---- */

#define CALLS(P, T, of)                                                                            \
    cublasStatus_t cublas##P##trmv_v2(cublasHandle_t handle, cublasFillMode_t uplo,                \
                                      cublasOperation_t trans, cublasDiagType_t diag, int n,       \
                                      const T *A, int lda, T *x, int incx) {                       \
        const call g = {of,   VJ_TRMV, MULTIPLIES, false, CUBLAS_SIDE_LEFT,                        \
                        uplo, trans,   diag,       n,     1,                                       \
                        NULL, A,       x,          NULL,  x,                                       \
                        lda,  incx,    incx,       true};                                          \
        return run("cublas" #P "trmv", handle, &g, false, false);                                  \
    }                                                                                              \
    cublasStatus_t cublas##P##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo,                \
                                      cublasOperation_t trans, cublasDiagType_t diag, int n,       \
                                      const T *A, int lda, T *x, int incx) {                       \
        const call g = {of,   VJ_TRSV, SOLVES, false, CUBLAS_SIDE_LEFT,                            \
                        uplo, trans,   diag,   n,     1,                                           \
                        NULL, A,       x,      NULL,  x,                                           \
                        lda,  incx,    incx,   true};                                              \
        return run("cublas" #P "trsv", handle, &g, false, false);                                  \
    }                                                                                              \
    cublasStatus_t cublas##P##symv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,         \
                                      const T *alpha, const T *A, int lda, const T *x, int incx,   \
                                      const T *beta, T *y, int incy) {                             \
        const call g = {of,                                                                        \
                        VJ_SYMV,                                                                   \
                        MULTIPLIES,                                                                \
                        true,                                                                      \
                        CUBLAS_SIDE_LEFT,                                                          \
                        uplo,                                                                      \
                        CUBLAS_OP_N,                                                               \
                        CUBLAS_DIAG_NON_UNIT,                                                      \
                        n,                                                                         \
                        1,                                                                         \
                        alpha,                                                                     \
                        A,                                                                         \
                        x,                                                                         \
                        beta,                                                                      \
                        y,                                                                         \
                        lda,                                                                       \
                        incx,                                                                      \
                        incy,                                                                      \
                        true};                                                                     \
        return run("cublas" #P "symv", handle, &g, true, true);                                    \
    }                                                                                              \
    cublasStatus_t cublas##P##trmm_v2(cublasHandle_t handle, cublasSideMode_t side,                \
                                      cublasFillMode_t uplo, cublasOperation_t trans,              \
                                      cublasDiagType_t diag, int m, int n, const T *alpha,         \
                                      const T *A, int lda, const T *B, int ldb, T *C, int ldc) {   \
        const call g = {of,    VJ_TRMM, MULTIPLIES, false, side, uplo, trans, diag, m,    n,       \
                        alpha, A,       B,          NULL,  C,    lda,  ldb,   ldc,  false};        \
        return run("cublas" #P "trmm", handle, &g, true, false);                                   \
    }                                                                                              \
    cublasStatus_t cublas##P##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,                \
                                      cublasFillMode_t uplo, cublasOperation_t trans,              \
                                      cublasDiagType_t diag, int m, int n, const T *alpha,         \
                                      const T *A, int lda, T *B, int ldb) {                        \
        const call g = {of,    VJ_TRSM, SOLVES, false, side, uplo, trans, diag, m,    n,           \
                        alpha, A,       B,      NULL,  B,    lda,  ldb,   ldb,  false};            \
        return run("cublas" #P "trsm", handle, &g, true, false);                                   \
    }                                                                                              \
    cublasStatus_t cublas##P##symm_v2(                                                             \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,         \
        const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc) {  \
        const call g = {                                                                           \
            of,  VJ_SYMM, MULTIPLIES, true, side, uplo, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT,         \
            m,   n,       alpha,      A,    B,    beta, C,           lda,                          \
            ldb, ldc,     false};                                                                  \
        return run("cublas" #P "symm", handle, &g, true, true);                                    \
    }                                                                                              \
    cublasStatus_t cublas##P##syr_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,          \
                                     const T *alpha, const T *x, int incx, T *A, int lda) {        \
        const update g = {of, VJ_SYR, uplo, CUBLAS_OP_N, n, 1, alpha, x, incx, NULL, A, lda};      \
        return run_update("cublas" #P "syr", handle, &g);                                          \
    }                                                                                              \
    cublasStatus_t cublas##P##syrk_v2(cublasHandle_t handle, cublasFillMode_t uplo,                \
                                      cublasOperation_t trans, int n, int k, const T *alpha,       \
                                      const T *A, int lda, const T *beta, T *C, int ldc) {         \
        const update g = {of, VJ_SYRK, uplo, trans, n, k, alpha, A, lda, beta, C, ldc};            \
        return run_update("cublas" #P "syrk", handle, &g);                                         \
    }
CALLS(S, float, VG_F32)
CALLS(D, double, VG_F64)
