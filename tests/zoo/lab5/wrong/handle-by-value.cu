// A function gets the handle by value, and fills its own copy.
// Lab 5: the library. cuBLAS multiplies matrices with kernels tuned for each GPU.
//
// The idea:
//   - cublasSgemm computes  C = alpha * op(A) * op(B) + beta * C,  where op is "as it is" or
//     "transposed". It takes a handle, which holds the library's state.
//   - cuBLAS stores matrices by columns (column-major), we store them by rows (row-major). The same
//     numbers in memory, read by columns, are the transposed matrix: cuBLAS sees our m x k matrix
//     A as the k x m matrix A^T, with a leading dimension of k, the distance between its columns.
//   - So ask cuBLAS for the transposed product, C^T = B^T * A^T. It finds B^T and A^T in memory just
//     as ours lie there, and the C^T that it writes, read by rows, is our C. Nothing is transposed:
//     only the order of the operands, and of m and n, changes.

#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>

static void library_open(cublasHandle_t handle) {
    CUBLAS_CHECK(cublasCreate(&handle));
}

static void library_close(cublasHandle_t handle) {
    CUBLAS_CHECK(cublasDestroy(handle));
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    cublasHandle_t handle = NULL;
    library_open(handle);

    static const float alpha = 1.0f;
    static const float beta = 0.0f;

    // C^T (n x m) = B^T (n x k) * A^T (k x m)
    CUBLAS_CHECK(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, B, n, A, k, &beta, C, n));

    library_close(handle);
}
