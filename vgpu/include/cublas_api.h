/*
 * cublas_api.h: the part of cuBLAS that the virtual GPU has. Names, arguments and status codes are
 * the API's.
 *
 * Matrices are column-major: element (i, j) of a matrix with leading dimension ld is x[i + j * ld].
 * Every operand is device memory; alpha, beta and scalar results are host memory, or device memory
 * after cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE). Calls are complete on return.
 */
#ifndef VGPU_CUBLAS_API_H
#define VGPU_CUBLAS_API_H
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#include <stdint.h>

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION   130100

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;

typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;

/* The default never rounds float operands to TF32; neither does any other mode here. */
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"

extern "C" {
#endif

/* ---- handles ---- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* ---- copies: rows x cols elements of elemSize bytes ---- */

cublasStatus_t cublasSetVector(int n, int elemSize, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int elemSize, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B,
                               int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda,
                                    void *B, int ldb, cudaStream_t stream);

/* ---- float ---- */

/* C = alpha op(A) op(B) + beta C; op(A) is m x k, op(B) k x n, C m x n. beta = 0: C isn't read. */
cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k, const float *alpha,
                              const float *A, int lda, const float *B, int ldb, const float *beta,
                              float *C, int ldc);
/* The same for batchCount triples, each stride elements behind the one before. */
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float *alpha, const float *A, int lda,
                                         long long strideA, const float *B, int ldb,
                                         long long strideB, const float *beta, float *C, int ldc,
                                         long long strideC, int batchCount);
/* The same for batchCount triples whose addresses are in arrays in device memory. */
cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k, const float *alpha,
                                  const float *const A[], int lda, const float *const B[], int ldb,
                                  const float *beta, float *const C[], int ldc, int batchCount);
/* y = alpha op(A) x + beta y; A is m x n. */
cublasStatus_t cublasSgemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                              const float *alpha, const float *A, int lda, const float *x, int incx,
                              const float *beta, float *y, int incy);
/* C = alpha op(A) + beta op(B), all m x n. */
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const float *alpha,
                           const float *A, int lda, const float *beta, const float *B, int ldb,
                           float *C, int ldc);
cublasStatus_t cublasSaxpy_v2(cublasHandle_t handle, int n, const float *alpha, const float *x,
                              int incx, float *y, int incy);
cublasStatus_t cublasSscal_v2(cublasHandle_t handle, int n, const float *alpha, float *x, int incx);
cublasStatus_t cublasScopy_v2(cublasHandle_t handle, int n, const float *x, int incx, float *y,
                              int incy);
cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float *x, int incx, const float *y,
                             int incy, float *result);
cublasStatus_t cublasSnrm2_v2(cublasHandle_t handle, int n, const float *x, int incx,
                              float *result);
cublasStatus_t cublasSasum_v2(cublasHandle_t handle, int n, const float *x, int incx,
                              float *result);
/* Where the largest and the smallest absolute value is, counted from 1. */
cublasStatus_t cublasIsamax_v2(cublasHandle_t handle, int n, const float *x, int incx, int *result);
cublasStatus_t cublasIsamin_v2(cublasHandle_t handle, int n, const float *x, int incx, int *result);
cublasStatus_t cublasSswap_v2(cublasHandle_t handle, int n, float *x, int incx, float *y, int incy);
cublasStatus_t cublasSrot_v2(cublasHandle_t handle, int n, float *x, int incx, float *y, int incy,
                             const float *c, const float *s);
/* The rotation that turns (a, b) to (r, 0): r comes back in a, and in b what stands for it. */
cublasStatus_t cublasSrotg_v2(cublasHandle_t handle, float *a, float *b, float *c, float *s);
/* A = A + alpha x y'. */
cublasStatus_t cublasSger_v2(cublasHandle_t handle, int m, int n, const float *alpha,
                             const float *x, int incx, const float *y, int incy, float *A, int lda);
/* C = diag(x) A, or A diag(x). */
cublasStatus_t cublasSdgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n,
                           const float *A, int lda, const float *x, int incx, float *C, int ldc);
/* x = op(A) x, op(A) x = b; A is a triangle. */
cublasStatus_t cublasStrmv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                              cublasDiagType_t diag, int n, const float *A, int lda, float *x,
                              int incx);
cublasStatus_t cublasStrsv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                              cublasDiagType_t diag, int n, const float *A, int lda, float *x,
                              int incx);
/* The same with a matrix B, on either side. */
cublasStatus_t cublasStrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                              cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                              const float *alpha, const float *A, int lda, const float *B, int ldb,
                              float *C, int ldc);
cublasStatus_t cublasStrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                              cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                              const float *alpha, const float *A, int lda, float *B, int ldb);
/* gemv and gemm with a symmetric A, of which one triangle is read. */
cublasStatus_t cublasSsymv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,
                              const float *alpha, const float *A, int lda, const float *x, int incx,
                              const float *beta, float *y, int incy);
cublasStatus_t cublasSsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                              int m, int n, const float *alpha, const float *A, int lda,
                              const float *B, int ldb, const float *beta, float *C, int ldc);
/* One triangle of A + alpha x x', and of alpha op(A) op(A)' + beta C. */
cublasStatus_t cublasSsyr_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,
                             const float *alpha, const float *x, int incx, float *A, int lda);
cublasStatus_t cublasSsyrk_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                              int n, int k, const float *alpha, const float *A, int lda,
                              const float *beta, float *C, int ldc);

/* ---- double ---- */

/* C = alpha op(A) op(B) + beta C; op(A) is m x k, op(B) k x n, C m x n. beta = 0: C isn't read. */
cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k, const double *alpha,
                              const double *A, int lda, const double *B, int ldb,
                              const double *beta, double *C, int ldc);
/* The same for batchCount triples, each stride elements behind the one before. */
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const double *alpha, const double *A, int lda,
                                         long long strideA, const double *B, int ldb,
                                         long long strideB, const double *beta, double *C, int ldc,
                                         long long strideC, int batchCount);
/* The same for batchCount triples whose addresses are in arrays in device memory. */
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const double *alpha, const double *const A[], int lda,
                                  const double *const B[], int ldb, const double *beta,
                                  double *const C[], int ldc, int batchCount);
/* y = alpha op(A) x + beta y; A is m x n. */
cublasStatus_t cublasDgemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                              const double *alpha, const double *A, int lda, const double *x,
                              int incx, const double *beta, double *y, int incy);
/* C = alpha op(A) + beta op(B), all m x n. */
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const double *alpha,
                           const double *A, int lda, const double *beta, const double *B, int ldb,
                           double *C, int ldc);
cublasStatus_t cublasDaxpy_v2(cublasHandle_t handle, int n, const double *alpha, const double *x,
                              int incx, double *y, int incy);
cublasStatus_t cublasDscal_v2(cublasHandle_t handle, int n, const double *alpha, double *x,
                              int incx);
cublasStatus_t cublasDcopy_v2(cublasHandle_t handle, int n, const double *x, int incx, double *y,
                              int incy);
cublasStatus_t cublasDdot_v2(cublasHandle_t handle, int n, const double *x, int incx,
                             const double *y, int incy, double *result);
cublasStatus_t cublasDnrm2_v2(cublasHandle_t handle, int n, const double *x, int incx,
                              double *result);
cublasStatus_t cublasDasum_v2(cublasHandle_t handle, int n, const double *x, int incx,
                              double *result);
/* Where the largest and the smallest absolute value is, counted from 1. */
cublasStatus_t cublasIdamax_v2(cublasHandle_t handle, int n, const double *x, int incx,
                               int *result);
cublasStatus_t cublasIdamin_v2(cublasHandle_t handle, int n, const double *x, int incx,
                               int *result);
cublasStatus_t cublasDswap_v2(cublasHandle_t handle, int n, double *x, int incx, double *y,
                              int incy);
cublasStatus_t cublasDrot_v2(cublasHandle_t handle, int n, double *x, int incx, double *y, int incy,
                             const double *c, const double *s);
/* The rotation that turns (a, b) to (r, 0): r comes back in a, and in b what stands for it. */
cublasStatus_t cublasDrotg_v2(cublasHandle_t handle, double *a, double *b, double *c, double *s);
/* A = A + alpha x y'. */
cublasStatus_t cublasDger_v2(cublasHandle_t handle, int m, int n, const double *alpha,
                             const double *x, int incx, const double *y, int incy, double *A,
                             int lda);
/* C = diag(x) A, or A diag(x). */
cublasStatus_t cublasDdgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n,
                           const double *A, int lda, const double *x, int incx, double *C, int ldc);
/* x = op(A) x, op(A) x = b; A is a triangle. */
cublasStatus_t cublasDtrmv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                              cublasDiagType_t diag, int n, const double *A, int lda, double *x,
                              int incx);
cublasStatus_t cublasDtrsv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                              cublasDiagType_t diag, int n, const double *A, int lda, double *x,
                              int incx);
/* The same with a matrix B, on either side. */
cublasStatus_t cublasDtrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                              cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                              const double *alpha, const double *A, int lda, const double *B,
                              int ldb, double *C, int ldc);
cublasStatus_t cublasDtrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                              cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                              const double *alpha, const double *A, int lda, double *B, int ldb);
/* gemv and gemm with a symmetric A, of which one triangle is read. */
cublasStatus_t cublasDsymv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,
                              const double *alpha, const double *A, int lda, const double *x,
                              int incx, const double *beta, double *y, int incy);
cublasStatus_t cublasDsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                              int m, int n, const double *alpha, const double *A, int lda,
                              const double *B, int ldb, const double *beta, double *C, int ldc);
/* One triangle of A + alpha x x', and of alpha op(A) op(A)' + beta C. */
cublasStatus_t cublasDsyr_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n,
                             const double *alpha, const double *x, int incx, double *A, int lda);
cublasStatus_t cublasDsyrk_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                              int n, int k, const double *alpha, const double *A, int lda,
                              const double *beta, double *C, int ldc);

/* ---- any types ---- */

/* A and B of one type, float, half or bfloat16, C of the same or float, float arithmetic; all half
 * with CUBLAS_COMPUTE_16F; all double. The rest is CUBLAS_STATUS_NOT_SUPPORTED. */

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType Atype, int lda, const void *B,
                            cudaDataType Btype, int ldb, const void *beta, void *C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float *alpha,
                             const void *A, cudaDataType Atype, int lda, const void *B,
                             cudaDataType Btype, int ldb, const float *beta, void *C,
                             cudaDataType Ctype, int ldc);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType Atype,
                                          int lda, long long strideA, const void *B,
                                          cudaDataType Btype, int ldb, long long strideB,
                                          const void *beta, void *C, cudaDataType Ctype, int ldc,
                                          long long strideC, int batchCount,
                                          cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const A[], cudaDataType Atype, int lda,
                                   const void *const B[], cudaDataType Btype, int ldb,
                                   const void *beta, void *const C[], cudaDataType Ctype, int ldc,
                                   int batchCount, cublasComputeType_t computeType,
                                   cublasGemmAlgo_t algo);

#ifdef __cplusplus
/* All half; sums are floats here. */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half *alpha,
                           const __half *A, int lda, const __half *B, int ldb, const __half *beta,
                           __half *C, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half *alpha, const __half *A, int lda,
                                         long long strideA, const __half *B, int ldb,
                                         long long strideB, const __half *beta, __half *C, int ldc,
                                         long long strideC, int batchCount);
}

/* Before CUDA 11 the arithmetic was named by a data type. */
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType Atype,
                                          int lda, const void *B, cudaDataType Btype, int ldb,
                                          const void *beta, void *C, cudaDataType Ctype, int ldc,
                                          cudaDataType computeType, cublasGemmAlgo_t algo) {
    cublasComputeType_t compute = computeType == CUDA_R_32F   ? CUBLAS_COMPUTE_32F
                                  : computeType == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                                  : computeType == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                                                              : CUBLAS_COMPUTE_32I;
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta,
                        C, Ctype, ldc, compute, algo);
}
#endif

/* ---- 64-bit sizes (CUDA 12): sizes that fit into an int; beyond that an invalid value ---- */

/* Are all of these sizes an int's? A product of larger ones would not fit into the device
 * anyway. */
static inline int vgpu_int_sizes(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f) {
    const int64_t sizes[6] = {a, b, c, d, e, f};
    int fit = 1;
    for (int i = 0; i < 6; i++)
        fit = fit && sizes[i] >= INT32_MIN && sizes[i] <= INT32_MAX;
    return fit;
}
static inline cublasStatus_t cublasSgemm_v2_64(cublasHandle_t handle, cublasOperation_t transa,
                                               cublasOperation_t transb, int64_t m, int64_t n,
                                               int64_t k, const float *alpha, const float *A,
                                               int64_t lda, const float *B, int64_t ldb,
                                               const float *beta, float *C, int64_t ldc) {
    if (!vgpu_int_sizes(m, n, k, lda, ldb, ldc))
        return CUBLAS_STATUS_INVALID_VALUE;
    return cublasSgemm_v2(handle, transa, transb, (int)m, (int)n, (int)k, alpha, A, (int)lda, B,
                          (int)ldb, beta, C, (int)ldc);
}
static inline cublasStatus_t cublasDgemm_v2_64(cublasHandle_t handle, cublasOperation_t transa,
                                               cublasOperation_t transb, int64_t m, int64_t n,
                                               int64_t k, const double *alpha, const double *A,
                                               int64_t lda, const double *B, int64_t ldb,
                                               const double *beta, double *C, int64_t ldc) {
    if (!vgpu_int_sizes(m, n, k, lda, ldb, ldc))
        return CUBLAS_STATUS_INVALID_VALUE;
    return cublasDgemm_v2(handle, transa, transb, (int)m, (int)n, (int)k, alpha, A, (int)lda, B,
                          (int)ldb, beta, C, (int)ldc);
}
static inline cublasStatus_t cublasSgemv_v2_64(cublasHandle_t handle, cublasOperation_t trans,
                                               int64_t m, int64_t n, const float *alpha,
                                               const float *A, int64_t lda, const float *x,
                                               int64_t incx, const float *beta, float *y,
                                               int64_t incy) {
    if (!vgpu_int_sizes(m, n, lda, incx, incy, 0))
        return CUBLAS_STATUS_INVALID_VALUE;
    return cublasSgemv_v2(handle, trans, (int)m, (int)n, alpha, A, (int)lda, x, (int)incx, beta, y,
                          (int)incy);
}
static inline cublasStatus_t
cublasSgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                             const float *alpha, const float *A, int64_t lda, long long strideA,
                             const float *B, int64_t ldb, long long strideB, const float *beta,
                             float *C, int64_t ldc, long long strideC, int64_t batchCount) {
    if (!vgpu_int_sizes(m, n, k, lda, ldb, ldc) || !vgpu_int_sizes(batchCount, 0, 0, 0, 0, 0))
        return CUBLAS_STATUS_INVALID_VALUE;
    return cublasSgemmStridedBatched(handle, transa, transb, (int)m, (int)n, (int)k, alpha, A,
                                     (int)lda, strideA, B, (int)ldb, strideB, beta, C, (int)ldc,
                                     strideC, (int)batchCount);
}
static inline cublasStatus_t
cublasGemmEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                int64_t m, int64_t n, int64_t k, const void *alpha, const void *A,
                cudaDataType Atype, int64_t lda, const void *B, cudaDataType Btype, int64_t ldb,
                const void *beta, void *C, cudaDataType Ctype, int64_t ldc,
                cublasComputeType_t computeType, cublasGemmAlgo_t algo) {
    if (!vgpu_int_sizes(m, n, k, lda, ldb, ldc))
        return CUBLAS_STATUS_INVALID_VALUE;
    return cublasGemmEx(handle, transa, transb, (int)m, (int)n, (int)k, alpha, A, Atype, (int)lda,
                        B, Btype, (int)ldb, beta, C, Ctype, (int)ldc, computeType, algo);
}

/* Programs write the short names; the symbols carry _v2, as in cuBLAS. */
#define cublasSgemm_64       cublasSgemm_v2_64
#define cublasDgemm_64       cublasDgemm_v2_64
#define cublasSgemv_64       cublasSgemv_v2_64
#define cublasCreate         cublasCreate_v2
#define cublasDestroy        cublasDestroy_v2
#define cublasGetVersion     cublasGetVersion_v2
#define cublasSetStream      cublasSetStream_v2
#define cublasGetStream      cublasGetStream_v2
#define cublasSetWorkspace   cublasSetWorkspace_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSgemm          cublasSgemm_v2
#define cublasDgemm          cublasDgemm_v2
#define cublasSgemv          cublasSgemv_v2
#define cublasDgemv          cublasDgemv_v2
#define cublasSaxpy          cublasSaxpy_v2
#define cublasDaxpy          cublasDaxpy_v2
#define cublasSscal          cublasSscal_v2
#define cublasDscal          cublasDscal_v2
#define cublasScopy          cublasScopy_v2
#define cublasDcopy          cublasDcopy_v2
#define cublasSdot           cublasSdot_v2
#define cublasDdot           cublasDdot_v2
#define cublasSnrm2          cublasSnrm2_v2
#define cublasDnrm2          cublasDnrm2_v2
#define cublasSasum          cublasSasum_v2
#define cublasDasum          cublasDasum_v2
#define cublasSswap          cublasSswap_v2
#define cublasDswap          cublasDswap_v2
#define cublasSrot           cublasSrot_v2
#define cublasDrot           cublasDrot_v2
#define cublasSrotg          cublasSrotg_v2
#define cublasDrotg          cublasDrotg_v2
#define cublasSger           cublasSger_v2
#define cublasDger           cublasDger_v2
#define cublasStrmv          cublasStrmv_v2
#define cublasDtrmv          cublasDtrmv_v2
#define cublasStrsv          cublasStrsv_v2
#define cublasDtrsv          cublasDtrsv_v2
#define cublasStrmm          cublasStrmm_v2
#define cublasDtrmm          cublasDtrmm_v2
#define cublasStrsm          cublasStrsm_v2
#define cublasDtrsm          cublasDtrsm_v2
#define cublasSsymv          cublasSsymv_v2
#define cublasDsymv          cublasDsymv_v2
#define cublasSsymm          cublasSsymm_v2
#define cublasDsymm          cublasDsymm_v2
#define cublasSsyr           cublasSsyr_v2
#define cublasDsyr           cublasDsyr_v2
#define cublasSsyrk          cublasSsyrk_v2
#define cublasDsyrk          cublasDsyrk_v2
#define cublasIsamax         cublasIsamax_v2
#define cublasIdamax         cublasIdamax_v2
#define cublasIsamin         cublasIsamin_v2
#define cublasIdamin         cublasIdamin_v2

#endif
