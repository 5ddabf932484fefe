/*
 * legacy.c: cuBLAS' first interface (cublas.h), on top of the present one: one handle for the whole
 * program, made by cublasInit, and a status that waits for cublasGetError. Both are the context's.
 */
#include "vgpu/include/cublas.h"
#include "vgpu/src/runtime/context.h"

#include <ctype.h>

static cublasHandle_t handle_of_program(void) {
    vg_context *ctx = vg_begin();
    cublasHandle_t handle = ctx->legacy_blas;
    vg_end_quietly(ctx);
    return handle;
}

static void keep_handle(cublasHandle_t handle) {
    vg_context *ctx = vg_begin();
    ctx->legacy_blas = handle;
    vg_end_quietly(ctx);
}

/* Keeps the first failure. Returns the status. */
static cublasStatus_t remember(cublasStatus_t status) {
    vg_context *ctx = vg_begin();
    if (ctx->legacy_status == CUBLAS_STATUS_SUCCESS)
        ctx->legacy_status = status;
    vg_end_quietly(ctx);
    return status;
}

cublasStatus_t cublasInit(void) {
    cublasHandle_t handle = handle_of_program();
    if (handle)
        return CUBLAS_STATUS_SUCCESS;
    const cublasStatus_t status = cublasCreate_v2(&handle);
    if (status == CUBLAS_STATUS_SUCCESS)
        keep_handle(handle);
    return status;
}

cublasStatus_t cublasShutdown(void) {
    cublasHandle_t handle = handle_of_program();
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    keep_handle(NULL);
    return cublasDestroy_v2(handle);
}

cublasStatus_t cublasGetError(void) {
    vg_context *ctx = vg_begin();
    const cublasStatus_t status = (cublasStatus_t)ctx->legacy_status;
    ctx->legacy_status = CUBLAS_STATUS_SUCCESS;
    vg_end_quietly(ctx);
    return status;
}

cublasStatus_t cublasAlloc(int n, int elemSize, void **devicePtr) {
    if (n <= 0 || elemSize <= 0 || !devicePtr)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMalloc(devicePtr, (size_t)n * (size_t)elemSize) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasFree(void *devicePtr) {
    return cudaFree(devicePtr) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                              : CUBLAS_STATUS_INTERNAL_ERROR;
}

cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
    return cublasSetStream_v2(handle_of_program(), stream);
}

/* An unknown letter becomes an operation that there is not, which the call refuses. */
static cublasOperation_t operation(char letter) {
    switch (tolower((unsigned char)letter)) {
    case 'n': return CUBLAS_OP_N;
    case 't': return CUBLAS_OP_T;
    case 'c': return CUBLAS_OP_C;
    default: return (cublasOperation_t)-1;
    }
}

void cublasSgemm(char transa, char transb, int m, int n, int k, float alpha, const float *A,
                 int lda, const float *B, int ldb, float beta, float *C, int ldc) {
    (void)remember(cublasSgemm_v2(handle_of_program(), operation(transa), operation(transb), m, n,
                                  k, &alpha, A, lda, B, ldb, &beta, C, ldc));
}

void cublasDgemm(char transa, char transb, int m, int n, int k, double alpha, const double *A,
                 int lda, const double *B, int ldb, double beta, double *C, int ldc) {
    (void)remember(cublasDgemm_v2(handle_of_program(), operation(transa), operation(transb), m, n,
                                  k, &alpha, A, lda, B, ldb, &beta, C, ldc));
}
