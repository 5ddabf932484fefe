/*
 * handle.h: what the cuBLAS files share: handles, entering and leaving a call, operands that are
 * checked against their allocations.
 *
 * How a call looks:
 *
 *     vg_blas b;
 *     cublasStatus_t status = vg_blas_begin(&b, handle, "cublasSgemm");      locks
 *     if (status == CUBLAS_STATUS_SUCCESS) …
 *     return vg_blas_end(&b, status);                                         unlocks
 *
 * A matrix that reaches past its allocation is an illegal access, as it is on hardware: the call
 * returns success, and the next CUDA call returns cudaErrorIllegalAddress.
 */
#pragma once

#include "vgpu/include/cublas_v2.h"
#include "vgpu/src/cublas/product.h"
#include "vgpu/src/runtime/context.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math_mode;
    cublasAtomicsMode_t atomics_mode;
};

/* One call under way. */
typedef struct vg_blas {
    vg_context *ctx;
    struct cublasContext *handle;
    const char *call;
    bool faulted; /* an operand was out of bounds: said, and sticky */
    bool computes;
    bool multiplies; /* matrices: facts say so */
} vg_blas;

cublasStatus_t vg_blas_begin(vg_blas *b, cublasHandle_t handle, const char *call);
/* The same for calls that compute: not on a stream that is captured (graph.h). */
cublasStatus_t vg_blas_begin_work(vg_blas *b, cublasHandle_t handle, const char *call);
/* The call computes on its stream from here to vg_blas_end. */
void vg_blas_computes(vg_blas *b);
cublasStatus_t vg_blas_end(vg_blas *b, cublasStatus_t status);

/* Says what is wrong with an argument. Returns CUBLAS_STATUS_INVALID_VALUE. */
cublasStatus_t vg_blas_invalid(vg_blas *b, vg_note *note);

/* alpha or beta, from where the pointer mode says it is. */
cublasStatus_t vg_blas_scalar(vg_blas *b, const char *name, enum vg_real type, const void *at,
                              double *value);
/* Where a result goes; at least one element. */
cublasStatus_t vg_blas_result(vg_blas *b, enum vg_real type, void *at, double value);
cublasStatus_t vg_blas_int_result(vg_blas *b, int *at, int value);

/* To be called before the next ones for what a call reads: values that nobody wrote are said. */
void vg_blas_reads(vg_blas *b, const char *name, enum vg_real type, const void *at, int64_t rows,
                   int64_t cols, int64_t ld);
/* The same for a triangle of an n x n matrix; unit: without its diagonal. */
void vg_blas_reads_triangle(vg_blas *b, const char *name, enum vg_real type, const void *at,
                            int64_t n, int64_t ld, bool lower, bool unit);
/* And what it writes: that has values then, and races with other streams. */
void vg_blas_writes(vg_blas *b, enum vg_real type, const void *at, int64_t rows, int64_t cols,
                    int64_t ld);
/* The same for a vector of n elements, inc apart. */
void vg_blas_writes_vector(vg_blas *b, enum vg_real type, const void *at, int64_t n, int64_t inc);
void vg_blas_writes_triangle(vg_blas *b, enum vg_real type, const void *at, int64_t n, int64_t ld,
                             bool lower);
/* It copies n elements: those that nobody wrote stay so. */
void vg_blas_copies_vector(vg_blas *b, enum vg_real type, const void *to, int64_t to_inc,
                           const void *from, int64_t from_inc, int64_t n);
/* Host address of a rows x cols matrix with leading dimension ld; NULL, with b->faulted set and the
 * sizes said, when it isn't all in one live allocation. Empty matrices give some address. */
void *vg_blas_matrix(vg_blas *b, const char *name, enum vg_real type, const void *at, int64_t rows,
                     int64_t cols, int64_t ld);
/* The same for a vector of n elements, inc apart (negative: it starts at the far end). */
void *vg_blas_vector(vg_blas *b, const char *name, enum vg_real type, const void *at, int64_t n,
                     int64_t inc);
