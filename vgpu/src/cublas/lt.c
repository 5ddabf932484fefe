/*
 * lt.c: cuBLASLt's product, as a call of cublasGemmStridedBatchedEx.
 *
 * A matrix by rows is its own transpose by columns. So each factor's order is one more
 * transposition of it, and a product by rows is (op(A) op(B))^T = op(B)^T op(A)^T by columns.
 */
#include "vgpu/include/cublasLt.h"
#include "vgpu/src/cublas/handle.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cublasLtMatmulDesc {
    cublasComputeType_t compute;
    cudaDataType scale;
    int32_t pointer_mode, transa, transb, transc, fill;
    uint32_t epilogue;
    const void *bias;
};

struct cublasLtMatrixLayout {
    cudaDataType type;
    int32_t order;
    uint64_t rows, cols;
    int64_t ld;
    int32_t batch;
    int64_t stride;
};

struct cublasLtMatmulPreference {
    uint32_t mode;
    size_t workspace;
};

/* ---- descriptions ---- */

/* An attribute, by its number: where it is, and its bytes. */
typedef struct field {
    size_t offset, size;
} field;
#define FIELD(type, name)                                                                          \
    { offsetof(struct type, name), sizeof(((struct type *)0)->name) }

static cublasStatus_t set(void *object, const field *fields, size_t count, size_t attr,
                          const void *buf, size_t size) {
    if (!object || !buf || attr >= count || size != fields[attr].size)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)object + fields[attr].offset, buf, size);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *matmulDesc,
                                        cublasComputeType_t computeType, cudaDataType scaleType) {
    struct cublasLtMatmulDesc *d = matmulDesc ? malloc(sizeof *d) : NULL;
    if (!d)
        return matmulDesc ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_INVALID_VALUE;
    *d = (struct cublasLtMatmulDesc){.compute = computeType,
                                     .scale = scaleType,
                                     .fill = CUBLAS_FILL_MODE_FULL,
                                     .epilogue = CUBLASLT_EPILOGUE_DEFAULT};
    *matmulDesc = d;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t matmulDesc) {
    free(matmulDesc);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t matmulDesc,
                                              cublasLtMatmulDescAttributes_t attr, const void *buf,
                                              size_t sizeInBytes) {
    static const field fields[] = {
        FIELD(cublasLtMatmulDesc, compute),      FIELD(cublasLtMatmulDesc, scale),
        FIELD(cublasLtMatmulDesc, pointer_mode), FIELD(cublasLtMatmulDesc, transa),
        FIELD(cublasLtMatmulDesc, transb),       FIELD(cublasLtMatmulDesc, transc),
        FIELD(cublasLtMatmulDesc, fill),         FIELD(cublasLtMatmulDesc, epilogue),
        FIELD(cublasLtMatmulDesc, bias)};
    return set(matmulDesc, fields, sizeof fields / sizeof *fields, attr, buf, sizeInBytes);
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *matLayout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
    struct cublasLtMatrixLayout *m = matLayout ? malloc(sizeof *m) : NULL;
    if (!m)
        return matLayout ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_INVALID_VALUE;
    *m = (struct cublasLtMatrixLayout){type, CUBLASLT_ORDER_COL, rows, cols, ld, 1, 0};
    *matLayout = m;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t matLayout) {
    free(matLayout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t matLayout,
                                                cublasLtMatrixLayoutAttribute_t attr,
                                                const void *buf, size_t sizeInBytes) {
    static const field fields[] = {
        FIELD(cublasLtMatrixLayout, type),  FIELD(cublasLtMatrixLayout, order),
        FIELD(cublasLtMatrixLayout, rows),  FIELD(cublasLtMatrixLayout, cols),
        FIELD(cublasLtMatrixLayout, ld),    FIELD(cublasLtMatrixLayout, batch),
        FIELD(cublasLtMatrixLayout, stride)};
    return set(matLayout, fields, sizeof fields / sizeof *fields, attr, buf, sizeInBytes);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *pref) {
    struct cublasLtMatmulPreference *p = pref ? calloc(1, sizeof *p) : NULL;
    if (!p)
        return pref ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_INVALID_VALUE;
    *pref = p;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t pref) {
    free(pref);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t pref,
                                                    cublasLtMatmulPreferenceAttributes_t attr,
                                                    const void *buf, size_t sizeInBytes) {
    static const field fields[] = {FIELD(cublasLtMatmulPreference, mode),
                                   FIELD(cublasLtMatmulPreference, workspace)};
    return set(pref, fields, sizeof fields / sizeof *fields, attr, buf, sizeInBytes);
}

/* ---- handles ---- */

cublasStatus_t cublasLtCreate(cublasLtHandle_t *lightHandle) {
    return cublasCreate_v2((cublasHandle_t *)(void *)lightHandle);
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle) {
    return cublasDestroy_v2((cublasHandle_t)(void *)lightHandle);
}

size_t cublasLtGetVersion(void) {
    return CUBLAS_VERSION;
}

/* ---- the product ---- */

static const char *name_of(uint32_t epilogue) {
    static const struct {
        uint32_t number;
        const char *name;
    } names[] = {{2, "CUBLASLT_EPILOGUE_RELU"},       {4, "CUBLASLT_EPILOGUE_BIAS"},
                 {6, "CUBLASLT_EPILOGUE_RELU_BIAS"},  {32, "CUBLASLT_EPILOGUE_GELU"},
                 {36, "CUBLASLT_EPILOGUE_GELU_BIAS"}, {130, "CUBLASLT_EPILOGUE_RELU_AUX"},
                 {136, "CUBLASLT_EPILOGUE_DRELU"},    {134, "CUBLASLT_EPILOGUE_RELU_AUX_BIAS"},
                 {160, "CUBLASLT_EPILOGUE_GELU_AUX"}, {152, "CUBLASLT_EPILOGUE_DRELU_BGRAD"},
                 {192, "CUBLASLT_EPILOGUE_DGELU"},    {164, "CUBLASLT_EPILOGUE_GELU_AUX_BIAS"},
                 {256, "CUBLASLT_EPILOGUE_BGRADA"},   {208, "CUBLASLT_EPILOGUE_DGELU_BGRAD"},
                 {512, "CUBLASLT_EPILOGUE_BGRADB"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == epilogue)
            return names[i].name;
    return "an unknown epilogue";
}

static cublasStatus_t refuse(const char *name, const char *instead) {
    vg_context *ctx = vg_begin();
    vg_tell(ctx, VG_NOTE(UNSUPPORTED, .call = "cublasLtMatmul", .name = name, .other = instead,
                         .is.status = CUBLAS_STATUS_NOT_SUPPORTED));
    vg_end_quietly(ctx);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t refuse_epilogue(uint32_t epilogue) {
    char products[80];
    snprintf(products, sizeof products, "products with %s", name_of(epilogue));
    return refuse(products, ": do it in a kernel after the product");
}

static bool by_rows(const struct cublasLtMatrixLayout *m) {
    return m->order == CUBLASLT_ORDER_ROW;
}

/* What lies in memory one after the other fits between two of its neighbours. */
static bool valid_layout(const struct cublasLtMatrixLayout *m) {
    const uint64_t line = by_rows(m) ? m->cols : m->rows;
    return m->rows <= INT_MAX && m->cols <= INT_MAX && m->ld <= INT_MAX && m->ld >= (int64_t)line &&
           m->batch >= 1;
}

static cublasStatus_t check(const struct cublasLtMatmulDesc *d,
                            const struct cublasLtMatrixLayout *const m[4], const void *C,
                            const void *D) {
    for (int i = 0; i < 4; i++) {
        if (m[i]->order != CUBLASLT_ORDER_COL && m[i]->order != CUBLASLT_ORDER_ROW)
            return refuse("orders in blocks", ": CUBLASLT_ORDER_COL and _ROW are here");
        if (!valid_layout(m[i]) || m[i]->batch != m[3]->batch)
            return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (d->epilogue != CUBLASLT_EPILOGUE_DEFAULT)
        return refuse_epilogue(d->epilogue);
    if (d->transc != CUBLAS_OP_N || d->fill != CUBLAS_FILL_MODE_FULL)
        return refuse("a transposed C and parts of D", "");
    if (m[2]->type != m[3]->type || m[2]->order != m[3]->order)
        return refuse("C and D of different types or orders", "");
    if (C != D && m[3]->batch > 1)
        return refuse("batches in which C is not D", ": copy C to D before");
    const bool ta = d->transa != CUBLAS_OP_N, tb = d->transb != CUBLAS_OP_N;
    const uint64_t k = ta ? m[0]->rows : m[0]->cols;
    const bool fits = (ta ? m[0]->cols : m[0]->rows) == m[3]->rows &&
                      (tb ? m[1]->cols : m[1]->rows) == k &&
                      (tb ? m[1]->rows : m[1]->cols) == m[3]->cols && m[2]->rows == m[3]->rows &&
                      m[2]->cols == m[3]->cols;
    return fits ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

static size_t bytes_of(cudaDataType type) {
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}

/* Lines of C to the places of D. */
static bool copy_addend(const struct cublasLtMatrixLayout *c, const void *C,
                        const struct cublasLtMatrixLayout *d, void *D, cudaStream_t stream) {
    const size_t e = bytes_of(d->type), line = by_rows(d) ? d->cols : d->rows,
                 lines = by_rows(d) ? d->rows : d->cols;
    return cudaMemcpy2DAsync(D, (size_t)d->ld * e, C, (size_t)c->ld * e, line * e, lines,
                             cudaMemcpyDeviceToDevice, stream) == cudaSuccess;
}

/* The call by columns: x and y are A and B, or the other way round for a product by rows. */
static cublasStatus_t multiply(cublasHandle_t handle, const struct cublasLtMatmulDesc *d,
                               const struct cublasLtMatrixLayout *const m[4], const void *A,
                               const void *B, void *D, const void *alpha, const void *beta) {
    const bool rows = by_rows(m[3]);
    const bool ta = (d->transa != CUBLAS_OP_N) != (by_rows(m[0]) != rows),
               tb = (d->transb != CUBLAS_OP_N) != (by_rows(m[1]) != rows);
    const struct cublasLtMatrixLayout *x = rows ? m[1] : m[0], *y = rows ? m[0] : m[1];
    const int k = (int)(d->transa != CUBLAS_OP_N ? m[0]->rows : m[0]->cols);
    return cublasGemmStridedBatchedEx(
        handle, (rows ? tb : ta) ? CUBLAS_OP_T : CUBLAS_OP_N,
        (rows ? ta : tb) ? CUBLAS_OP_T : CUBLAS_OP_N, (int)(rows ? m[3]->cols : m[3]->rows),
        (int)(rows ? m[3]->rows : m[3]->cols), k, alpha, rows ? B : A, x->type, (int)x->ld,
        x->stride, rows ? A : B, y->type, (int)y->ld, y->stride, beta, D, m[3]->type, (int)m[3]->ld,
        m[3]->stride, m[3]->batch, d->compute, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc,
                              const void *alpha, const void *A, cublasLtMatrixLayout_t Adesc,
                              const void *B, cublasLtMatrixLayout_t Bdesc, const void *beta,
                              const void *C, cublasLtMatrixLayout_t Cdesc, void *D,
                              cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t *algo,
                              void *workspace, size_t workspaceSizeInBytes, cudaStream_t stream) {
    const struct cublasLtMatrixLayout *const m[4] = {Adesc, Bdesc, Cdesc, Ddesc};
    const cublasHandle_t handle = (cublasHandle_t)(void *)lightHandle;
    cublasPointerMode_t mode;
    cudaStream_t before;
    (void)algo, (void)workspace, (void)workspaceSizeInBytes; /* there is one way to do it */
    cublasStatus_t status = cublasGetStream_v2(handle, &before);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (!computeDesc || !Adesc || !Bdesc || !Cdesc || !Ddesc || !alpha || !beta || !A || !B || !D)
        return CUBLAS_STATUS_INVALID_VALUE;
    status = check(computeDesc, m, C, D);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (C && C != D && !copy_addend(Cdesc, C, Ddesc, D, stream))
        return CUBLAS_STATUS_INVALID_VALUE;
    (void)cublasGetPointerMode_v2(handle, &mode);
    (void)cublasSetPointerMode_v2(handle, (cublasPointerMode_t)computeDesc->pointer_mode);
    status = cublasSetStream_v2(handle, stream);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = multiply(handle, computeDesc, m, A, B, D, alpha, beta);
    (void)cublasSetStream_v2(handle, before);
    (void)cublasSetPointerMode_v2(handle, mode);
    return status;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requestedAlgoCount,
    cublasLtMatmulHeuristicResult_t heuristicResultsArray[], int *returnAlgoCount) {
    const struct cublasLtMatrixLayout *const m[4] = {Adesc, Bdesc, Cdesc, Ddesc};
    if (!lightHandle || !operationDesc || !Adesc || !Bdesc || !Cdesc || !Ddesc || !preference ||
        requestedAlgoCount < 1 || !heuristicResultsArray || !returnAlgoCount)
        return CUBLAS_STATUS_INVALID_VALUE;
    *returnAlgoCount = 0;
    const cublasStatus_t status = check(operationDesc, m, NULL, NULL);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    heuristicResultsArray[0] = (cublasLtMatmulHeuristicResult_t){.state = CUBLAS_STATUS_SUCCESS};
    *returnAlgoCount = 1;
    return CUBLAS_STATUS_SUCCESS;
}
