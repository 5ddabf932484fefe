/*
 * elements.c: cuBLAS calls that take each element of their operands once: the largest and the
 * smallest, swap, rot, rotg, ger, and dgmm. Loops of our own.
 */
#include "vgpu/src/cublas/vector.h"

#include <math.h>

/* ---- where the largest and the smallest element are: counted from 1, 0 for none ---- */

static cublasStatus_t extreme(const char *call, enum vg_real type, cublasHandle_t handle, int n,
                              const void *x, int incx, int *result, bool largest) {
    vg_blas b;
    vec v;
    const int count = n > 0 && incx > 0 ? n : 0;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS && take_vector(&b, "x", type, x, count, incx, true, &v)) {
        vg_journal_blas(b.ctx, &(struct vj_blas){.call = largest ? VJ_AMAX : VJ_AMIN,
                                                 .twice = type == VG_F64,
                                                 .n = n,
                                                 .a = addr_of(x),
                                                 .lda = incx,
                                                 .c = result_at(&b, result)});
        int at = count > 0 ? 1 : 0;
        double best = count > 0 ? fabs(get(type, &v, 0)) : 0.0;
        for (int i = 1; i < count; i++) {
            const double size = fabs(get(type, &v, i));
            if (largest ? size > best : size < best) {
                best = size;
                at = i + 1;
            }
        }
        status = vg_blas_int_result(&b, result, at);
    }
    return vg_blas_end(&b, status);
}

/* ---- swap, rot: two vectors that both change ---- */

typedef struct pair {
    enum vg_real type;
    int n, incx, incy;
    void *x, *y;
} pair;

static bool take_pair(vg_blas *b, const pair *p, vec *x, vec *y) {
    return take_vector(b, "x", p->type, p->x, p->n, p->incx, true, x) &&
           take_vector(b, "y", p->type, p->y, p->n, p->incy, true, y);
}

static void write_down(vg_blas *b, const pair *p, enum vj_blas_call call, double c, double s) {
    vg_blas_writes_vector(b, p->type, p->x, p->n, p->incx);
    vg_blas_writes_vector(b, p->type, p->y, p->n, p->incy);
    vg_journal_blas(b->ctx, &(struct vj_blas){.call = call,
                                              .twice = p->type == VG_F64,
                                              .n = p->n,
                                              .alpha = c,
                                              .beta = s,
                                              .a = addr_of(p->x),
                                              .lda = p->incx,
                                              .b = addr_of(p->y),
                                              .ldb = p->incy});
}

static cublasStatus_t swap(const char *call, cublasHandle_t handle, const pair *p) {
    vg_blas b;
    vec x;
    vec y;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS && take_pair(&b, p, &x, &y)) {
        write_down(&b, p, VJ_SWAP, 0.0, 0.0);
        for (int64_t i = 0; i < p->n; i++) {
            const double old = get(p->type, &x, i);
            put(p->type, &x, i, get(p->type, &y, i));
            put(p->type, &y, i, old);
        }
    }
    return vg_blas_end(&b, status);
}

static cublasStatus_t rot(const char *call, cublasHandle_t handle, const pair *p, const void *cos,
                          const void *sin) {
    vg_blas b;
    vec x;
    vec y;
    double c = 0.0;
    double s = 0.0;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(&b, "c", p->type, cos, &c);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(&b, "s", p->type, sin, &s);
    if (status == CUBLAS_STATUS_SUCCESS && !b.faulted && take_pair(&b, p, &x, &y)) {
        write_down(&b, p, VJ_ROT, c, s);
        for (int64_t i = 0; i < p->n; i++) {
            const double old = get(p->type, &x, i), other = get(p->type, &y, i);
            put(p->type, &x, i, fma(c, old, s * other));
            put(p->type, &y, i, fma(c, other, -s * old));
        }
    }
    return vg_blas_end(&b, status);
}

/* ---- rotg: the rotation that turns (a, b) to (r, 0), as BLAS has it since 1979 ---- */

typedef struct rotation {
    double r, z, c, s; /* z stands for both c and s */
} rotation;

static rotation rotation_of(double a, double b) {
    const bool steep = fabs(a) <= fabs(b);
    const double r = copysign(hypot(a, b), steep ? b : a);
    if (r == 0.0)
        return (rotation){0.0, 0.0, 1.0, 0.0};
    const double c = a / r;
    const double s = b / r;
    const double z = !steep ? s : c != 0.0 ? 1.0 / c : 1.0;
    return (rotation){r, z, c, s};
}

static cublasStatus_t rotg(const char *call, enum vg_real type, cublasHandle_t handle,
                           void *const at[4]) {
    vg_blas b;
    double first = 0.0;
    double second = 0.0;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(&b, "a", type, at[0], &first);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(&b, "b", type, at[1], &second);
    if (status == CUBLAS_STATUS_SUCCESS && !b.faulted) {
        const rotation to = rotation_of(first, second);
        const double value[4] = {to.r, to.z, to.c, to.s};
        for (int i = 0; i < 4 && status == CUBLAS_STATUS_SUCCESS && !b.faulted; i++)
            status = vg_blas_result(&b, type, at[i], value[i]);
    }
    return vg_blas_end(&b, status);
}

/* ---- ger: A + alpha x y' ---- */

typedef struct ger_args {
    enum vg_real type;
    int m, n;
    const void *alpha, *x;
    int incx;
    const void *y;
    int incy;
    void *a;
    int lda;
} ger_args;

static cublasStatus_t ger_body(vg_blas *b, const ger_args *g) {
    vec x;
    vec y;
    double alpha = 0.0;
    if (g->m < 0 || g->n < 0)
        return vg_blas_invalid(b, VG_NOTE(BLAS_NEGATIVE_SIDE, .is.number = {g->m, g->n}));
    if (g->incx == 0 || g->incy == 0)
        return vg_blas_invalid(b, VG_NOTE(BLAS_STEP, .is.number = {g->incx, g->incy}));
    if (g->lda < (g->m > 1 ? g->m : 1))
        return vg_blas_invalid(b, VG_NOTE(BLAS_LEADING, .other = "A", .is.number = {g->lda, g->m}));
    const cublasStatus_t status = vg_blas_scalar(b, "alpha", g->type, g->alpha, &alpha);
    if (status != CUBLAS_STATUS_SUCCESS || b->faulted || alpha == 0.0 || g->m == 0 || g->n == 0)
        return status;
    vg_blas_reads(b, "A", g->type, g->a, g->m, g->n, g->lda);
    void *a = vg_blas_matrix(b, "A", g->type, g->a, g->m, g->n, g->lda);
    if (!a || !take_vector(b, "x", g->type, g->x, g->m, g->incx, true, &x) ||
        !take_vector(b, "y", g->type, g->y, g->n, g->incy, true, &y))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    vg_blas_writes(b, g->type, g->a, g->m, g->n, g->lda);
    vg_journal_blas(b->ctx, &(struct vj_blas){.call = VJ_GER,
                                              .twice = g->type == VG_F64,
                                              .m = g->m,
                                              .n = g->n,
                                              .alpha = alpha,
                                              .a = addr_of(g->x),
                                              .lda = g->incx,
                                              .b = addr_of(g->y),
                                              .ldb = g->incy,
                                              .c = addr_of(g->a),
                                              .ldc = g->lda});
    for (int64_t j = 0; j < g->n; j++) {
        const double factor = alpha * get(g->type, &y, j);
        for (int64_t i = 0; i < g->m; i++) {
            const int64_t at = i + j * g->lda;
            vg_set(g->type, a, at, fma(get(g->type, &x, i), factor, vg_get(g->type, a, at)));
        }
    }
    return status;
}

static cublasStatus_t ger(const char *call, cublasHandle_t handle, const ger_args *g) {
    vg_blas b;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = ger_body(&b, g);
    return vg_blas_end(&b, status);
}

/* ---- dgmm: C = diag(x) A or A diag(x) ---- */

typedef struct dgmm_args {
    enum vg_real type;
    cublasSideMode_t side;
    int m, n;
    const void *a;
    int lda;
    const void *x;
    int incx;
    void *c;
    int ldc;
} dgmm_args;

static cublasStatus_t dgmm_check(vg_blas *b, const dgmm_args *g) {
    const int rows = g->m > 1 ? g->m : 1;
    if ((unsigned)g->side > CUBLAS_SIDE_RIGHT)
        return vg_blas_invalid(b,
                               VG_NOTE(BLAS_CHOICE, .name = "mode", .is.number = {(int)g->side}));
    if (g->m < 0 || g->n < 0)
        return vg_blas_invalid(b, VG_NOTE(BLAS_NEGATIVE_SIDE, .is.number = {g->m, g->n}));
    if (g->lda < rows)
        return vg_blas_invalid(b, VG_NOTE(BLAS_LEADING, .other = "A", .is.number = {g->lda, g->m}));
    if (g->ldc < rows)
        return vg_blas_invalid(b, VG_NOTE(BLAS_LEADING, .other = "C", .is.number = {g->ldc, g->m}));
    if (g->a == g->c && g->lda != g->ldc)
        return vg_blas_invalid(b, VG_NOTE(BLAS_IN_PLACE));
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t dgmm_body(vg_blas *b, const dgmm_args *g) {
    vec x;
    const bool left = g->side == CUBLAS_SIDE_LEFT;
    const cublasStatus_t status = dgmm_check(b, g);
    if (status != CUBLAS_STATUS_SUCCESS || g->m == 0 || g->n == 0)
        return status;
    vg_blas_reads(b, "A", g->type, g->a, g->m, g->n, g->lda);
    const void *a = vg_blas_matrix(b, "A", g->type, g->a, g->m, g->n, g->lda);
    if (!a || !take_vector(b, "x", g->type, g->x, left ? g->m : g->n, g->incx, true, &x))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    void *c = vg_blas_matrix(b, "C", g->type, g->c, g->m, g->n, g->ldc);
    if (!c)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    vg_blas_writes(b, g->type, g->c, g->m, g->n, g->ldc);
    vg_journal_blas(b->ctx, &(struct vj_blas){.call = VJ_DGMM,
                                              .twice = g->type == VG_F64,
                                              .shape = vj_shape((unsigned)g->side, 0, 0),
                                              .m = g->m,
                                              .n = g->n,
                                              .a = addr_of(g->a),
                                              .lda = g->lda,
                                              .b = addr_of(g->x),
                                              .ldb = g->incx,
                                              .c = addr_of(g->c),
                                              .ldc = g->ldc});
    for (int64_t j = 0; j < g->n; j++)
        for (int64_t i = 0; i < g->m; i++)
            vg_set(g->type, c, i + j * g->ldc,
                   vg_get(g->type, a, i + j * g->lda) * get(g->type, &x, left ? i : j));
    return status;
}

static cublasStatus_t dgmm(const char *call, cublasHandle_t handle, const dgmm_args *g) {
    vg_blas b;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = dgmm_body(&b, g);
    return vg_blas_end(&b, status);
}

/* ---- the calls, for both types ---- */

#define CALLS(P, p, T, type)                                                                       \
    cublasStatus_t cublasI##p##amax_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                       int *result) {                                              \
        return extreme("cublasI" #p "amax", type, handle, n, x, incx, result, true);               \
    }                                                                                              \
    cublasStatus_t cublasI##p##amin_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                       int *result) {                                              \
        return extreme("cublasI" #p "amin", type, handle, n, x, incx, result, false);              \
    }                                                                                              \
    cublasStatus_t cublas##P##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,          \
                                      int incy) {                                                  \
        const pair both = {type, n, incx, incy, x, y};                                             \
        return swap("cublas" #P "swap", handle, &both);                                            \
    }                                                                                              \
    cublasStatus_t cublas##P##rot_v2(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, \
                                     const T *c, const T *s) {                                     \
        const pair both = {type, n, incx, incy, x, y};                                             \
        return rot("cublas" #P "rot", handle, &both, c, s);                                        \
    }                                                                                              \
    cublasStatus_t cublas##P##rotg_v2(cublasHandle_t handle, T *a, T *b, T *c, T *s) {             \
        void *const at[4] = {a, b, c, s};                                                          \
        return rotg("cublas" #P "rotg", type, handle, at);                                         \
    }                                                                                              \
    cublasStatus_t cublas##P##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha,          \
                                     const T *x, int incx, const T *y, int incy, T *A, int lda) {  \
        const ger_args g = {type, m, n, alpha, x, incx, y, incy, A, lda};                          \
        return ger("cublas" #P "ger", handle, &g);                                                 \
    }                                                                                              \
    cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n,     \
                                   const T *A, int lda, const T *x, int incx, T *C, int ldc) {     \
        const dgmm_args g = {type, mode, m, n, A, lda, x, incx, C, ldc};                           \
        return dgmm("cublas" #P "dgmm", handle, &g);                                               \
    }
CALLS(S, s, float, VG_F32)
CALLS(D, d, double, VG_F64)
