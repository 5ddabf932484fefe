/*
 * cublas.h: cuBLAS' first interface, without handles, as programs of before 2011 call it: products,
 * and what goes around them. A scalar is a value, a transposition a letter ('n', 't', 'c'), and a
 * call returns nothing: cublasGetError() tells, once, of the first that failed.
 *
 * Refuses to be used beside cublas_v2.h, whose calls have the same names, and has no other
 * computations: those of cublas_api.h can do all that these do.
 */
#ifndef VGPU_CUBLAS_H
#define VGPU_CUBLAS_H
#ifdef CUBLAS_V2_H_
#error "cublas.h and cublas_v2.h declare the same names: include one of them"
#endif
#define CUBLAS_H_

#include "cublas_api.h"

#undef cublasSgemm
#undef cublasDgemm
#undef cublasGetVersion

#define cublasStatus cublasStatus_t

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasInit(void); /* makes what the calls below need; a second call does nothing */
cublasStatus_t cublasShutdown(void); /* and gives it back */
cublasStatus_t cublasGetError(void); /* of the first call that failed since this was asked last */
cublasStatus_t cublasAlloc(int n, int elemSize, void **devicePtr);
cublasStatus_t cublasFree(void *devicePtr);
cublasStatus_t cublasSetKernelStream(cudaStream_t stream);

/* C = alpha op(A) op(B) + beta C, all by columns. */
void cublasSgemm(char transa, char transb, int m, int n, int k, float alpha, const float *A,
                 int lda, const float *B, int ldb, float beta, float *C, int ldc);
void cublasDgemm(char transa, char transb, int m, int n, int k, double alpha, const double *A,
                 int lda, const double *B, int ldb, double beta, double *C, int ldc);

#ifdef __cplusplus
}
#endif

#endif
