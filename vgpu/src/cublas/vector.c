/*
 * vector.c: cuBLAS on vectors and matrix-vector products, geam, and the copies between host and
 * device. Loops of our own: none of these is worth a library.
 *
 * Sizes of 0 and less are nothing to do, as on hardware. Floats are added up in double, which is at
 * least as good as any order of summation in float.
 */
#include "vgpu/src/cublas/vector.h"

#include <math.h>

/* ---- one vector, two vectors ---- */

static cublasStatus_t axpy(const char *call, enum vg_real type, cublasHandle_t handle, int n,
                           const void *alpha, const void *x, int incx, void *y, int incy) {
    vg_blas b;
    vec vx;
    vec vy;
    double a = 0.0;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(&b, "alpha", type, alpha, &a);
    if (status == CUBLAS_STATUS_SUCCESS && !b.faulted && a != 0.0 &&
        take_vector(&b, "x", type, x, n, incx, true, &vx) &&
        take_vector(&b, "y", type, y, n, incy, true, &vy)) {
        vg_blas_writes_vector(&b, type, y, n, incy);
        vg_journal_blas(b.ctx, &(struct vj_blas){.call = VJ_AXPY,
                                                 .twice = type == VG_F64,
                                                 .n = n,
                                                 .alpha = a,
                                                 .a = addr_of(x),
                                                 .lda = incx,
                                                 .b = addr_of(y),
                                                 .ldb = incy});
        for (int64_t i = 0; i < n; i++)
            put(type, &vy, i, fma(a, get(type, &vx, i), get(type, &vy, i)));
    }
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasSaxpy_v2(cublasHandle_t handle, int n, const float *alpha, const float *x,
                              int incx, float *y, int incy) {
    return axpy("cublasSaxpy", VG_F32, handle, n, alpha, x, incx, y, incy);
}

cublasStatus_t cublasDaxpy_v2(cublasHandle_t handle, int n, const double *alpha, const double *x,
                              int incx, double *y, int incy) {
    return axpy("cublasDaxpy", VG_F64, handle, n, alpha, x, incx, y, incy);
}

static cublasStatus_t scal(const char *call, enum vg_real type, cublasHandle_t handle, int n,
                           const void *alpha, void *x, int incx) {
    vg_blas b;
    vec v;
    double a = 0.0;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(&b, "alpha", type, alpha, &a);
    if (status == CUBLAS_STATUS_SUCCESS && !b.faulted && incx > 0 &&
        take_vector(&b, "x", type, x, n, incx, true, &v)) {
        vg_blas_writes_vector(&b, type, x, n, incx);
        vg_journal_blas(b.ctx, &(struct vj_blas){.call = VJ_SCAL,
                                                 .twice = type == VG_F64,
                                                 .n = n,
                                                 .alpha = a,
                                                 .a = addr_of(x),
                                                 .lda = incx});
        for (int64_t i = 0; i < n; i++)
            put(type, &v, i, a * get(type, &v, i));
    }
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasSscal_v2(cublasHandle_t handle, int n, const float *alpha, float *x,
                              int incx) {
    return scal("cublasSscal", VG_F32, handle, n, alpha, x, incx);
}

cublasStatus_t cublasDscal_v2(cublasHandle_t handle, int n, const double *alpha, double *x,
                              int incx) {
    return scal("cublasDscal", VG_F64, handle, n, alpha, x, incx);
}

static cublasStatus_t copy(const char *call, enum vg_real type, cublasHandle_t handle, int n,
                           const void *x, int incx, void *y, int incy) {
    vg_blas b;
    vec vx;
    vec vy;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS && take_vector(&b, "x", type, x, n, incx, false, &vx) &&
        take_vector(&b, "y", type, y, n, incy, false, &vy)) {
        vg_blas_copies_vector(&b, type, y, incy, x, incx, n);
        vg_journal_blas(b.ctx, &(struct vj_blas){.call = VJ_COPY_VECTOR,
                                                 .twice = type == VG_F64,
                                                 .n = n,
                                                 .a = addr_of(x),
                                                 .lda = incx,
                                                 .b = addr_of(y),
                                                 .ldb = incy});
        for (int64_t i = 0; i < n; i++)
            put(type, &vy, i, get(type, &vx, i));
    }
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasScopy_v2(cublasHandle_t handle, int n, const float *x, int incx, float *y,
                              int incy) {
    return copy("cublasScopy", VG_F32, handle, n, x, incx, y, incy);
}

cublasStatus_t cublasDcopy_v2(cublasHandle_t handle, int n, const double *x, int incx, double *y,
                              int incy) {
    return copy("cublasDcopy", VG_F64, handle, n, x, incx, y, incy);
}

/* ---- sums ---- */

static cublasStatus_t dot(const char *call, enum vg_real type, cublasHandle_t handle, int n,
                          const void *x, int incx, const void *y, int incy, void *result) {
    vg_blas b;
    vec vx;
    vec vy;
    double sum = 0.0;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS && take_vector(&b, "x", type, x, n, incx, true, &vx) &&
        take_vector(&b, "y", type, y, n, incy, true, &vy)) {
        vg_journal_blas(b.ctx, &(struct vj_blas){.call = VJ_DOT,
                                                 .twice = type == VG_F64,
                                                 .n = n,
                                                 .a = addr_of(x),
                                                 .lda = incx,
                                                 .b = addr_of(y),
                                                 .ldb = incy,
                                                 .c = result_at(&b, result)});
        for (int64_t i = 0; i < n; i++)
            sum = fma(get(type, &vx, i), get(type, &vy, i), sum);
        status = vg_blas_result(&b, type, result, sum);
    }
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float *x, int incx, const float *y,
                             int incy, float *result) {
    return dot("cublasSdot", VG_F32, handle, n, x, incx, y, incy, result);
}

cublasStatus_t cublasDdot_v2(cublasHandle_t handle, int n, const double *x, int incx,
                             const double *y, int incy, double *result) {
    return dot("cublasDdot", VG_F64, handle, n, x, incx, y, incy, result);
}

/* sqrt of the sum of squares, scaled by the largest element so that no square overflows or
 * vanishes. */
static double length_of(enum vg_real type, const vec *v, int64_t n) {
    double scale = 0.0;
    double sum = 1.0;
    for (int64_t i = 0; i < n; i++) {
        double x = fabs(get(type, v, i));
        if (isnan(x))
            return x;
        if (x > scale) {
            sum = 1.0 + sum * (scale / x) * (scale / x);
            scale = x;
        } else if (x > 0.0) {
            sum += isinf(scale) ? 0.0 : (x / scale) * (x / scale);
        }
    }
    return scale * sqrt(sum);
}

static double sum_of(enum vg_real type, const vec *v, int64_t n) {
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += fabs(get(type, v, i));
    return sum;
}

static cublasStatus_t reduce(const char *call, enum vg_real type, cublasHandle_t handle, int n,
                             const void *x, int incx, void *result,
                             double (*of)(enum vg_real type, const vec *v, int64_t n)) {
    vg_blas b;
    vec v;
    int count = n > 0 && incx > 0 ? n : 0;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS && take_vector(&b, "x", type, x, count, incx, true, &v)) {
        vg_journal_blas(b.ctx, &(struct vj_blas){.call = of == length_of ? VJ_NRM2 : VJ_ASUM,
                                                 .twice = type == VG_F64,
                                                 .n = n,
                                                 .a = addr_of(x),
                                                 .lda = incx,
                                                 .c = result_at(&b, result)});
        status = vg_blas_result(&b, type, result, count > 0 ? of(type, &v, count) : 0.0);
    }
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasSnrm2_v2(cublasHandle_t handle, int n, const float *x, int incx,
                              float *result) {
    return reduce("cublasSnrm2", VG_F32, handle, n, x, incx, result, length_of);
}

cublasStatus_t cublasDnrm2_v2(cublasHandle_t handle, int n, const double *x, int incx,
                              double *result) {
    return reduce("cublasDnrm2", VG_F64, handle, n, x, incx, result, length_of);
}

cublasStatus_t cublasSasum_v2(cublasHandle_t handle, int n, const float *x, int incx,
                              float *result) {
    return reduce("cublasSasum", VG_F32, handle, n, x, incx, result, sum_of);
}

cublasStatus_t cublasDasum_v2(cublasHandle_t handle, int n, const double *x, int incx,
                              double *result) {
    return reduce("cublasDasum", VG_F64, handle, n, x, incx, result, sum_of);
}

/* ---- matrix times vector ---- */

typedef struct gemv_args {
    enum vg_real type;
    cublasOperation_t trans;
    int m, n;
    const void *alpha, *a, *x, *beta;
    void *y;
    int lda, incx, incy;
} gemv_args;

static cublasStatus_t gemv_body(vg_blas *b, const gemv_args *g) {
    vec x;
    vec y;
    double alpha = 0.0;
    double beta = 0.0;
    bool t = g->trans != CUBLAS_OP_N;
    int64_t rows = t ? g->n : g->m; /* of op(A), and of y */
    int64_t cols = t ? g->m : g->n;
    if (!is_operation(g->trans))
        return vg_blas_invalid(b, VG_NOTE(BLAS_OPERATION, .is.number = {(int)g->trans}));
    if (g->lda < (g->m > 1 ? g->m : 1))
        return vg_blas_invalid(
            b, VG_NOTE(BLAS_STRIDE_ROWS, .name = "A", .is.number = {g->m, g->n, g->lda}));
    if (g->incx == 0 || g->incy == 0)
        return vg_blas_invalid(b, VG_NOTE(BLAS_STEP, .is.number = {g->incx, g->incy}));
    cublasStatus_t status = vg_blas_scalar(b, "alpha", g->type, g->alpha, &alpha);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(b, "beta", g->type, g->beta, &beta);
    if (status != CUBLAS_STATUS_SUCCESS || b->faulted || g->m <= 0 || g->n <= 0)
        return status;
    if (alpha != 0.0)
        vg_blas_reads(b, "A", g->type, g->a, g->m, g->n, g->lda);
    const void *a = vg_blas_matrix(b, "A", g->type, g->a, g->m, g->n, g->lda);
    if (!a || !take_vector(b, "x", g->type, g->x, cols, g->incx, alpha != 0.0, &x) ||
        !take_vector(b, "y", g->type, g->y, rows, g->incy, beta != 0.0, &y))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    vg_blas_writes_vector(b, g->type, g->y, rows, g->incy);
    vg_journal_blas(b->ctx, &(struct vj_blas){.call = VJ_GEMV,
                                              .twice = g->type == VG_F64,
                                              .transa = g->trans,
                                              .m = g->m,
                                              .n = g->n,
                                              .alpha = alpha,
                                              .beta = beta,
                                              .a = addr_of(g->a),
                                              .lda = g->lda,
                                              .b = addr_of(g->x),
                                              .ldb = g->incx,
                                              .c = addr_of(g->y),
                                              .ldc = g->incy});
    for (int64_t i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int64_t j = 0; alpha != 0.0 && j < cols; j++)
            sum = fma(vg_get(g->type, a, t ? j + i * g->lda : i + j * g->lda), get(g->type, &x, j),
                      sum);
        put(g->type, &y, i, alpha * sum + (beta == 0.0 ? 0.0 : beta * get(g->type, &y, i)));
    }
    return status;
}

static cublasStatus_t gemv(const char *call, cublasHandle_t handle, const gemv_args *g) {
    vg_blas b;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = gemv_body(&b, g);
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasSgemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                              const float *alpha, const float *A, int lda, const float *x, int incx,
                              const float *beta, float *y, int incy) {
    gemv_args g = {VG_F32, trans, m, n, alpha, A, x, beta, y, lda, incx, incy};
    return gemv("cublasSgemv", handle, &g);
}

cublasStatus_t cublasDgemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                              const double *alpha, const double *A, int lda, const double *x,
                              int incx, const double *beta, double *y, int incy) {
    gemv_args g = {VG_F64, trans, m, n, alpha, A, x, beta, y, lda, incx, incy};
    return gemv("cublasDgemv", handle, &g);
}

/* ---- C = alpha op(A) + beta op(B) ---- */

typedef struct geam_args {
    enum vg_real type;
    cublasOperation_t transa, transb;
    int m, n;
    const void *alpha, *a, *beta, *b;
    void *c;
    int lda, ldb, ldc;
} geam_args;

/* A matrix read element by element while C is written may be C only if each element is its own. */
static bool in_place_is_wrong(const void *x, const void *c, cublasOperation_t op, int ld, int ldc) {
    return x == c && (op != CUBLAS_OP_N || ld != ldc);
}

static cublasStatus_t geam_check(vg_blas *b, const geam_args *g) {
    int rows_a = g->transa == CUBLAS_OP_N ? g->m : g->n;
    int rows_b = g->transb == CUBLAS_OP_N ? g->m : g->n;
    if (!is_operation(g->transa) || !is_operation(g->transb))
        return vg_blas_invalid(
            b, VG_NOTE(BLAS_OPERATIONS, .is.number = {(int)g->transa, (int)g->transb}));
    if (g->m < 0 || g->n < 0)
        return vg_blas_invalid(b, VG_NOTE(BLAS_NEGATIVE_SIDE, .is.number = {g->m, g->n}));
    if (g->lda < (rows_a > 1 ? rows_a : 1) || g->ldb < (rows_b > 1 ? rows_b : 1) ||
        g->ldc < (g->m > 1 ? g->m : 1))
        return vg_blas_invalid(
            b, VG_NOTE(BLAS_STRIDES, .is.number = {g->lda, g->ldb, g->ldc, rows_a, rows_b, g->m}));
    if (in_place_is_wrong(g->a, g->c, g->transa, g->lda, g->ldc) ||
        in_place_is_wrong(g->b, g->c, g->transb, g->ldb, g->ldc))
        return vg_blas_invalid(b, VG_NOTE(BLAS_IN_PLACE));
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t geam_body(vg_blas *b, const geam_args *g) {
    double alpha = 0.0;
    double beta = 0.0;
    bool ta = g->transa != CUBLAS_OP_N;
    bool tb = g->transb != CUBLAS_OP_N;
    cublasStatus_t status = geam_check(b, g);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(b, "alpha", g->type, g->alpha, &alpha);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(b, "beta", g->type, g->beta, &beta);
    if (status != CUBLAS_STATUS_SUCCESS || b->faulted || g->m == 0 || g->n == 0)
        return status;
    /* What a factor of 0 stands before isn't read, and may be null. */
    const void *x = NULL;
    const void *y = NULL;
    if (alpha != 0.0)
        vg_blas_reads(b, "A", g->type, g->a, ta ? g->n : g->m, ta ? g->m : g->n, g->lda);
    if (beta != 0.0)
        vg_blas_reads(b, "B", g->type, g->b, tb ? g->n : g->m, tb ? g->m : g->n, g->ldb);
    if (alpha != 0.0)
        x = vg_blas_matrix(b, "A", g->type, g->a, ta ? g->n : g->m, ta ? g->m : g->n, g->lda);
    if (beta != 0.0 && !b->faulted)
        y = vg_blas_matrix(b, "B", g->type, g->b, tb ? g->n : g->m, tb ? g->m : g->n, g->ldb);
    void *c = b->faulted ? NULL : vg_blas_matrix(b, "C", g->type, g->c, g->m, g->n, g->ldc);
    if (!c)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    vg_blas_writes(b, g->type, g->c, g->m, g->n, g->ldc);
    vg_journal_blas(b->ctx, &(struct vj_blas){.call = VJ_GEAM,
                                              .twice = g->type == VG_F64,
                                              .transa = g->transa,
                                              .transb = g->transb,
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
    for (int64_t j = 0; j < g->n; j++)
        for (int64_t i = 0; i < g->m; i++) {
            double sum = 0.0;
            if (x)
                sum = alpha * vg_get(g->type, x, ta ? j + i * g->lda : i + j * g->lda);
            if (y)
                sum += beta * vg_get(g->type, y, tb ? j + i * g->ldb : i + j * g->ldb);
            vg_set(g->type, c, i + j * g->ldc, sum);
        }
    return status;
}

static cublasStatus_t geam(const char *call, cublasHandle_t handle, const geam_args *g) {
    vg_blas b;
    cublasStatus_t status = begin(&b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = geam_body(&b, g);
    return vg_blas_end(&b, status);
}

cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const float *alpha,
                           const float *A, int lda, const float *beta, const float *B, int ldb,
                           float *C, int ldc) {
    geam_args g = {VG_F32, transa, transb, m, n, alpha, A, beta, B, C, lda, ldb, ldc};
    return geam("cublasSgeam", handle, &g);
}

cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const double *alpha,
                           const double *A, int lda, const double *beta, const double *B, int ldb,
                           double *C, int ldc) {
    geam_args g = {VG_F64, transa, transb, m, n, alpha, A, beta, B, C, lda, ldb, ldc};
    return geam("cublasDgeam", handle, &g);
}

/* ---- copies ---- */

/* A copy of columns of `bytes` each; its failure is cuBLAS' to report, not CUDA's. */
static cublasStatus_t copy_columns(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                   size_t bytes, size_t columns, enum cudaMemcpyKind kind,
                                   cudaStream_t stream) {
    cudaError_t before = cudaPeekAtLastError();
    cudaError_t error =
        cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, columns, kind, stream);
    if (error != cudaSuccess && before == cudaSuccess)
        (void)cudaGetLastError();
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copy_vector(int n, int size, const void *x, int incx, void *y, int incy,
                                  enum cudaMemcpyKind kind, cudaStream_t stream) {
    if (n < 0 || size <= 0 || incx <= 0 || incy <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    size_t bytes = (size_t)size;
    return copy_columns(y, bytes * (size_t)incy, x, bytes * (size_t)incx, bytes, (size_t)n, kind,
                        stream);
}

static cublasStatus_t copy_matrix(int rows, int cols, int size, const void *A, int lda, void *B,
                                  int ldb, enum cudaMemcpyKind kind, cudaStream_t stream) {
    if (rows < 0 || cols < 0 || size <= 0 || lda <= 0 || ldb <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    size_t bytes = (size_t)size;
    return copy_columns(B, bytes * (size_t)ldb, A, bytes * (size_t)lda, bytes * (size_t)rows,
                        (size_t)cols, kind, stream);
}

cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream) {
    return copy_vector(n, elemSize, x, incx, y, incy, cudaMemcpyHostToDevice, stream);
}

cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream) {
    return copy_vector(n, elemSize, x, incx, y, incy, cudaMemcpyDeviceToHost, stream);
}

cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream) {
    return copy_matrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyHostToDevice, stream);
}

cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream) {
    return copy_matrix(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyDeviceToHost, stream);
}

cublasStatus_t cublasSetVector(int n, int elemSize, const void *x, int incx, void *y, int incy) {
    return cublasSetVectorAsync(n, elemSize, x, incx, y, incy, NULL);
}

cublasStatus_t cublasGetVector(int n, int elemSize, const void *x, int incx, void *y, int incy) {
    return cublasGetVectorAsync(n, elemSize, x, incx, y, incy, NULL);
}

cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B,
                               int ldb) {
    return cublasSetMatrixAsync(rows, cols, elemSize, A, lda, B, ldb, NULL);
}

cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B,
                               int ldb) {
    return cublasGetMatrixAsync(rows, cols, elemSize, A, lda, B, ldb, NULL);
}
