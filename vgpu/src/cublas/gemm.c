/*
 * gemm.c: matrix products of cuBLAS: gemm alone, in strided batches, in batches of pointers, and
 * the
 * ...Ex forms that are told their types.
 */
#include "vgpu/src/cublas/gemm.h"
#include "vgpu/src/cublas/handle.h"
#include "vgpu/src/runtime/journal.h"

#include <stdlib.h>

/* One call's arguments: batch triples, each stride elements behind the one before. */
typedef struct gemm_args {
    enum vg_real type;
    cublasOperation_t transa, transb;
    int m, n, k;
    const void *alpha, *beta;
    const void *a, *b;
    void *c;
    int lda, ldb, ldc;
    long long stride_a, stride_b, stride_c;
    int batch;
    bool tf32;            /* operands are rounded to TF32 first */
    bool mixed;           /* the types below hold; else all are `type` */
    enum vg_real in, out; /* of A and B, and of C, as they are stored     */
    enum vg_real rounded; /* what float operands are rounded to, or VG_F32 */
    enum vg_real scalars; /* of alpha and beta                            */
} gemm_args;

static enum vg_real type_in(const gemm_args *g) {
    return g->mixed ? g->in : g->type;
}
static enum vg_real type_out(const gemm_args *g) {
    return g->mixed ? g->out : g->type;
}

/* ---- checking ---- */

static bool is_operation(cublasOperation_t op) {
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

static cublasStatus_t check_ld(vg_blas *b, const char *matrix, cublasOperation_t op, int rows,
                               int cols, int ld) {
    int stored_rows = op == CUBLAS_OP_N ? rows : cols;
    if (ld >= (stored_rows > 1 ? stored_rows : 1))
        return CUBLAS_STATUS_SUCCESS;
    return vg_blas_invalid(b,
                           VG_NOTE(BLAS_STRIDE, .other = matrix, .is.limit = (uint64_t)stored_rows,
                                   .is.number = {rows, cols, ld, op != CUBLAS_OP_N}));
}

static cublasStatus_t check(vg_blas *b, const gemm_args *g) {
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    if (!is_operation(g->transa) || !is_operation(g->transb))
        return vg_blas_invalid(
            b, VG_NOTE(BLAS_OPERATIONS, .is.number = {(int)g->transa, (int)g->transb}));
    if (g->m < 0 || g->n < 0 || g->k < 0 || g->batch < 0)
        return vg_blas_invalid(b,
                               VG_NOTE(BLAS_NEGATIVE, .is.number = {g->m, g->n, g->k, g->batch}));
    status = check_ld(b, "A", g->transa, g->m, g->k, g->lda);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = check_ld(b, "B", g->transb, g->k, g->n, g->ldb);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = check_ld(b, "C", CUBLAS_OP_N, g->m, g->n, g->ldc);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    bool any = g->m > 0 && g->n > 0;
    if (any && (!g->c || (g->k > 0 && (!g->a || !g->b))))
        return vg_blas_invalid(b, VG_NOTE(BLAS_NULL_MATRIX, .name = !g->c   ? "C"
                                                                    : !g->a ? "A"
                                                                            : "B"));
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- computing ---- */

/* A rounded copy of an operand as it is stored, or NULL when memory is out. */
static float *tf32_copy(const void *at, int64_t rows, int64_t cols, int64_t ld) {
    size_t count = (size_t)((cols - 1) * ld + rows);
    float *copy = malloc(count * sizeof *copy);
    if (copy)
        vg_round_tf32(copy, at, count);
    return copy;
}

static cublasStatus_t multiply_tf32(vg_product *p) {
    int64_t a_rows = p->a.transposed ? p->k : p->m;
    int64_t b_rows = p->b.transposed ? p->n : p->k;
    float *a = tf32_copy(p->a.at, a_rows, p->a.transposed ? p->m : p->k, p->a.ld);
    float *b = tf32_copy(p->b.at, b_rows, p->b.transposed ? p->k : p->n, p->b.ld);
    bool ok = a && b;
    p->a.at = a;
    p->b.at = b;
    if (ok)
        vg_multiply(p);
    free(a);
    free(b);
    return ok ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

/* A copy of an operand in floats, rounded to another type on the way if asked; NULL:
 * out of memory. */
static float *float_copy(enum vg_real type, enum vg_real rounded, const void *at, int64_t rows,
                         int64_t cols, int64_t ld) {
    size_t count = cols > 0 ? (size_t)((cols - 1) * ld + rows) : 0;
    float *copy = malloc((count + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++) {
        double value = vg_get(type, at, (int64_t)i);
        uint16_t half;
        if (rounded == VG_F16 || rounded == VG_BF16) {
            vg_set(rounded, &half, 0, value);
            value = vg_get(rounded, &half, 0);
        }
        copy[i] = (float)value;
    }
    return copy;
}

/* Operands and result of other types than the arithmetic's, which is float: sums are floats, and
 * rounded once when they are stored. */
static cublasStatus_t multiply_mixed(vg_product *p, const gemm_args *g) {
    int64_t a_rows = p->a.transposed ? p->k : p->m, a_cols = p->a.transposed ? p->m : p->k;
    int64_t b_rows = p->b.transposed ? p->n : p->k, b_cols = p->b.transposed ? p->k : p->n;
    bool reads = p->a.at != NULL;
    void *stored = p->c;
    float *a = reads ? float_copy(g->in, g->rounded, p->a.at, a_rows, a_cols, p->a.ld) : NULL;
    float *b = reads ? float_copy(g->in, g->rounded, p->b.at, b_rows, b_cols, p->b.ld) : NULL;
    float *c = float_copy(g->out, VG_F32, stored, p->m, p->n, p->ldc);
    bool ok = c && (!reads || (a && b));
    p->type = VG_F32;
    p->a.at = a;
    p->b.at = b;
    p->c = c;
    if (ok) {
        vg_multiply(p);
        for (int64_t j = 0; j < p->n; j++)
            for (int64_t i = 0; i < p->m; i++)
                vg_set(g->out, stored, i + j * p->ldc, (double)c[i + j * p->ldc]);
    }
    free(a);
    free(b);
    free(c);
    return ok ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

/* One product; the arguments have been checked, the operands' bounds are here. */
static cublasStatus_t multiply(vg_blas *b, const gemm_args *g, double alpha, double beta) {
    bool ta = g->transa != CUBLAS_OP_N;
    bool tb = g->transb != CUBLAS_OP_N;
    bool reads = alpha != 0.0 && g->k > 0;
    enum vg_real in = type_in(g), out = type_out(g);
    vg_product p = {.type = g->type, .m = g->m, .n = g->n, .k = g->k, .alpha = alpha, .beta = beta};
    p.ldc = g->ldc;
    p.a = (vg_operand){NULL, g->lda, ta};
    p.b = (vg_operand){NULL, g->ldb, tb};
    if (reads) {
        vg_blas_reads(b, "A", in, g->a, ta ? g->k : g->m, ta ? g->m : g->k, g->lda);
        vg_blas_reads(b, "B", in, g->b, tb ? g->n : g->k, tb ? g->k : g->n, g->ldb);
        p.a.at = vg_blas_matrix(b, "A", in, g->a, ta ? g->k : g->m, ta ? g->m : g->k, g->lda);
        p.b.at = p.a.at
                     ? vg_blas_matrix(b, "B", in, g->b, tb ? g->n : g->k, tb ? g->k : g->n, g->ldb)
                     : NULL;
        if (!p.b.at)
            return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    if (beta != 0.0)
        vg_blas_reads(b, "C", out, g->c, g->m, g->n, g->ldc);
    p.c = vg_blas_matrix(b, "C", out, g->c, g->m, g->n, g->ldc);
    if (p.c)
        vg_blas_writes(b, out, g->c, g->m, g->n, g->ldc);
    if (!p.c)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    b->ctx->stats.gemm_rounded += g->tf32 && g->type == VG_F32;
    b->ctx->stats.gemm_madds += (uint64_t)g->m * (uint64_t)g->n * (uint64_t)g->k;
    if (g->mixed)
        return multiply_mixed(&p, g);
    if (g->tf32 && g->type == VG_F32 && reads)
        return multiply_tf32(&p);
    vg_multiply(&p);
    return CUBLAS_STATUS_SUCCESS;
}

/* Element i * stride of an array. Bounds are checked later: a stride may be anything. */
static const void *strided(const void *at, int i, long long stride, long long size) {
    return (const void *)((uintptr_t)at +
                          (uintptr_t)((uint64_t)i * (uint64_t)stride * (uint64_t)size));
}

static void note(const vg_blas *b, const gemm_args *g, bool arrays, double alpha, double beta) {
    const struct vj_gemm body = {.type = g->type,
                                 .transa = g->transa,
                                 .transb = g->transb,
                                 .arrays = arrays,
                                 .m = g->m,
                                 .n = g->n,
                                 .k = g->k,
                                 .batch = g->batch,
                                 .lda = g->lda,
                                 .ldb = g->ldb,
                                 .ldc = g->ldc,
                                 .tf32 = g->tf32,
                                 .mixed = g->mixed,
                                 .in = g->in,
                                 .out = g->out,
                                 .rounded = g->rounded,
                                 .scalars = g->scalars,
                                 .alpha = alpha,
                                 .beta = beta,
                                 .a = (uint64_t)(uintptr_t)g->a,
                                 .b = (uint64_t)(uintptr_t)g->b,
                                 .c = (uint64_t)(uintptr_t)g->c,
                                 .stride_a = g->stride_a,
                                 .stride_b = g->stride_b,
                                 .stride_c = g->stride_c};
    vg_journal_gemm(b->ctx, &body);
}

/* All products of a call. With arrays, operand i's address is element i of the array in device
 * memory. */
static cublasStatus_t multiply_all(vg_blas *b, const gemm_args *g, bool arrays) {
    double alpha = 0.0;
    double beta = 0.0;
    cublasStatus_t status =
        vg_blas_scalar(b, "alpha", g->mixed ? g->scalars : g->type, g->alpha, &alpha);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = vg_blas_scalar(b, "beta", g->mixed ? g->scalars : g->type, g->beta, &beta);
    if (status != CUBLAS_STATUS_SUCCESS || b->faulted || g->m == 0 || g->n == 0 ||
        b->ctx->settings.idle)
        return status;
    note(b, g, arrays, alpha, beta);
    long long size_in = (long long)vg_real_size(type_in(g)),
              size_out = (long long)vg_real_size(type_out(g));
    const void *const *at[3] = {NULL, NULL, NULL};
    if (arrays && g->batch > 0) {
        const void *lists[3] = {g->a, g->b, g->c};
        static const char *const names[3] = {"Aarray", "Barray", "Carray"};
        for (int i = 0; i < 3; i++) {
            /* An array of pointers is measured like a vector of doubles: both have 8 bytes. */
            at[i] = vg_blas_vector(b, names[i], VG_F64, lists[i], g->batch, 1);
            if (!at[i])
                return CUBLAS_STATUS_EXECUTION_FAILED;
        }
    }
    for (int i = 0; i < g->batch && status == CUBLAS_STATUS_SUCCESS; i++) {
        gemm_args one = *g;
        one.a = arrays ? at[0][i] : strided(g->a, i, g->stride_a, size_in);
        one.b = arrays ? at[1][i] : strided(g->b, i, g->stride_b, size_in);
        one.c = (void *)(uintptr_t)(arrays ? at[2][i] : strided(g->c, i, g->stride_c, size_out));
        status = multiply(b, &one, alpha, beta);
    }
    return status;
}

static cublasStatus_t gemm(const char *call, cublasHandle_t handle, gemm_args *g, bool arrays) {
    vg_blas b;
    cublasStatus_t status = vg_blas_begin_work(&b, handle, call);
    b.multiplies = true;
    if (status == CUBLAS_STATUS_SUCCESS)
        status = check(&b, g);
    if (status == CUBLAS_STATUS_SUCCESS && vg_fails(b.ctx, VGPU_CALL_BLAS, call))
        status = CUBLAS_STATUS_EXECUTION_FAILED;
    if (status == CUBLAS_STATUS_SUCCESS) {
        b.ctx->stats.blas_calls++;
        b.ctx->stats.gemm_calls++;
        vg_blas_computes(&b);
        g->tf32 = g->tf32 || (handle->math_mode & 0xf) == CUBLAS_TF32_TENSOR_OP_MATH;
        status = multiply_all(&b, g, arrays);
    }
    return vg_blas_end(&b, status);
}

bool vg_gemm_sound(const struct vj_gemm *body) {
    return body->type <= VG_F64 && body->in <= VG_BF16 && body->out <= VG_BF16 &&
           body->rounded <= VG_BF16 && body->scalars <= VG_BF16 && body->tf32 <= 1 &&
           body->mixed <= 1 && body->arrays <= 1 && body->m >= 0 && body->n >= 0 && body->k >= 0 &&
           body->batch >= 0;
}

cublasStatus_t vg_gemm_repeat(cublasHandle_t handle, const struct vj_gemm *body) {
    const enum vg_real scalars =
        body->mixed ? (enum vg_real)body->scalars : (enum vg_real)body->type;
    double alpha, beta; /* room for any type */
    vg_set(scalars, &alpha, 0, body->alpha);
    vg_set(scalars, &beta, 0, body->beta);
    gemm_args g = {.type = body->type,
                   .transa = (cublasOperation_t)body->transa,
                   .transb = (cublasOperation_t)body->transb,
                   .m = body->m,
                   .n = body->n,
                   .k = body->k,
                   .alpha = &alpha,
                   .beta = &beta,
                   .a = (const void *)(uintptr_t)body->a,
                   .b = (const void *)(uintptr_t)body->b,
                   .c = (void *)(uintptr_t)body->c,
                   .lda = body->lda,
                   .ldb = body->ldb,
                   .ldc = body->ldc,
                   .stride_a = body->stride_a,
                   .stride_b = body->stride_b,
                   .stride_c = body->stride_c,
                   .batch = body->batch,
                   .tf32 = body->tf32,
                   .mixed = body->mixed,
                   .in = body->in,
                   .out = body->out,
                   .rounded = body->rounded,
                   .scalars = body->scalars};
    return gemm("a product of cuBLAS", handle, &g, body->arrays);
}

/* ---- the calls ---- */

/* What every call has, by the names that cuBLAS gives its parameters. */
#define OPERANDS                                                                                   \
    .transa = transa, .transb = transb, .m = m, .n = n, .k = k, .alpha = alpha, .beta = beta,      \
    .a = (const void *)A, .b = (const void *)B, .c = (void *)(uintptr_t)C, .lda = lda, .ldb = ldb, \
    .ldc = ldc
#define STRIDES .stride_a = strideA, .stride_b = strideB, .stride_c = strideC, .batch = batchCount

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k, const float *alpha,
                              const float *A, int lda, const float *B, int ldb, const float *beta,
                              float *C, int ldc) {
    gemm_args g = {.type = VG_F32, OPERANDS, .batch = 1};
    return gemm("cublasSgemm", handle, &g, false);
}

cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k, const double *alpha,
                              const double *A, int lda, const double *B, int ldb,
                              const double *beta, double *C, int ldc) {
    gemm_args g = {.type = VG_F64, OPERANDS, .batch = 1};
    return gemm("cublasDgemm", handle, &g, false);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float *alpha, const float *A, int lda,
                                         long long strideA, const float *B, int ldb,
                                         long long strideB, const float *beta, float *C, int ldc,
                                         long long strideC, int batchCount) {
    gemm_args g = {.type = VG_F32, OPERANDS, STRIDES};
    return gemm("cublasSgemmStridedBatched", handle, &g, false);
}

cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const double *alpha, const double *A, int lda,
                                         long long strideA, const double *B, int ldb,
                                         long long strideB, const double *beta, double *C, int ldc,
                                         long long strideC, int batchCount) {
    gemm_args g = {.type = VG_F64, OPERANDS, STRIDES};
    return gemm("cublasDgemmStridedBatched", handle, &g, false);
}

cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k, const float *alpha,
                                  const float *const A[], int lda, const float *const B[], int ldb,
                                  const float *beta, float *const C[], int ldc, int batchCount) {
    gemm_args g = {.type = VG_F32, OPERANDS, .batch = batchCount};
    return gemm("cublasSgemmBatched", handle, &g, true);
}

cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const double *alpha, const double *const A[], int lda,
                                  const double *const B[], int ldb, const double *beta,
                                  double *const C[], int ldc, int batchCount) {
    gemm_args g = {.type = VG_F64, OPERANDS, .batch = batchCount};
    return gemm("cublasDgemmBatched", handle, &g, true);
}

/* ---- with types as arguments ---- */

/* The type of an element, VG_F64 + 1 … for halves;
 * false for what cuBLAS products do not take here. */
static bool real_of(cudaDataType type, enum vg_real *real) {
    *real = type == CUDA_R_64F    ? VG_F64
            : type == CUDA_R_16F  ? VG_F16
            : type == CUDA_R_16BF ? VG_BF16
                                  : VG_F32;
    return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_R_16F || type == CUDA_R_16BF;
}

/* Sets the types of a combination that there is; false for others. */
static bool choose_types(gemm_args *g, cudaDataType a, cudaDataType b, cudaDataType c,
                         cublasComputeType_t compute) {
    enum vg_real in, out;
    if (a != b || !real_of(a, &in) || !real_of(c, &out))
        return false;
    g->mixed = in != out || in == VG_F16 || in == VG_BF16;
    g->in = in;
    g->out = out;
    g->type = in == VG_F64 ? VG_F64 : VG_F32;
    g->scalars = g->type;
    g->rounded = VG_F32;
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: g->scalars = VG_F16; return in == VG_F16 && out == VG_F16;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC: return in != VG_F64 && (out == in || out == VG_F32);
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
        g->rounded = compute == CUBLAS_COMPUTE_32F_FAST_16F ? VG_F16 : VG_BF16;
        g->mixed = true;
        return in == VG_F32 && out == VG_F32;
    case CUBLAS_COMPUTE_32F_FAST_TF32: g->tf32 = true; return in == VG_F32 && out == VG_F32;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return in == VG_F64 && out == VG_F64;
    default: return false;
    }
}

/* The same, and says so when there is no such combination. */
static bool supported(const char *call, gemm_args *g, cudaDataType a, cudaDataType b,
                      cudaDataType c, cublasComputeType_t compute) {
    if (choose_types(g, a, b, c, compute))
        return true;
    vg_context *ctx = vg_begin();
    vg_tell(ctx,
            VG_NOTE(BLAS_TYPES, .call = call, .is.number = {(int)a, (int)b, (int)c, (int)compute}));
    vg_end_quietly(ctx);
    return false;
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType Atype,
                                          int lda, long long strideA, const void *B,
                                          cudaDataType Btype, int ldb, long long strideB,
                                          const void *beta, void *C, cudaDataType Ctype, int ldc,
                                          long long strideC, int batchCount,
                                          cublasComputeType_t computeType, cublasGemmAlgo_t algo) {
    static const char call[] = "cublasGemmStridedBatchedEx";
    gemm_args g = {.type = VG_F32, OPERANDS, STRIDES};
    (void)algo;
    if (!supported(call, &g, Atype, Btype, Ctype, computeType))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return gemm(call, handle, &g, false);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType Atype, int lda, const void *B,
                            cudaDataType Btype, int ldb, const void *beta, void *C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo) {
    gemm_args g = {.type = VG_F32, OPERANDS, .batch = 1};
    (void)algo;
    if (!supported("cublasGemmEx", &g, Atype, Btype, Ctype, computeType))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return gemm("cublasGemmEx", handle, &g, false);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float *alpha,
                             const void *A, cudaDataType Atype, int lda, const void *B,
                             cudaDataType Btype, int ldb, const float *beta, void *C,
                             cudaDataType Ctype, int ldc) {
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta,
                        C, Ctype, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const A[], cudaDataType Atype, int lda,
                                   const void *const B[], cudaDataType Btype, int ldb,
                                   const void *beta, void *const C[], cudaDataType Ctype, int ldc,
                                   int batchCount, cublasComputeType_t computeType,
                                   cublasGemmAlgo_t algo) {
    gemm_args g = {OPERANDS, .batch = batchCount};
    (void)algo;
    if (!supported("cublasGemmBatchedEx", &g, Atype, Btype, Ctype, computeType))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return gemm("cublasGemmBatchedEx", handle, &g, true);
}

/* ---- halves ---- */

/* C++ declares these with __half, which C does not know: two bytes. */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const uint16_t *alpha,
                           const uint16_t *A, int lda, const uint16_t *B, int ldb,
                           const uint16_t *beta, uint16_t *C, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const uint16_t *alpha, const uint16_t *A, int lda,
                                         long long strideA, const uint16_t *B, int ldb,
                                         long long strideB, const uint16_t *beta, uint16_t *C,
                                         int ldc, long long strideC, int batchCount);

static cublasStatus_t halves(const char *call, cublasHandle_t handle, gemm_args *g) {
    (void)choose_types(g, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
    return gemm(call, handle, g, false);
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const uint16_t *alpha,
                           const uint16_t *A, int lda, const uint16_t *B, int ldb,
                           const uint16_t *beta, uint16_t *C, int ldc) {
    gemm_args g = {OPERANDS, .batch = 1};
    return halves("cublasHgemm", handle, &g);
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const uint16_t *alpha, const uint16_t *A, int lda,
                                         long long strideA, const uint16_t *B, int ldb,
                                         long long strideB, const uint16_t *beta, uint16_t *C,
                                         int ldc, long long strideC, int batchCount) {
    gemm_args g = {OPERANDS, STRIDES};
    return halves("cublasHgemmStridedBatched", handle, &g);
}
