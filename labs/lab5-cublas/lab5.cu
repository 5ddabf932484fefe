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
//
// Build and run:  make lab5 && build/vgpu/lab5 512     (with a GPU: build/gpu/lab5)
// Grade:          ./grader lab5

#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 1: Create a handle with cublasCreate. Wrap this and every cuBLAS call below in
    // CUBLAS_CHECK( ... ).

    // TODO 2: Set alpha and beta so that C becomes the product, whatever it held before.

    // TODO 3: Call cublasSgemm for C^T = B^T * A^T, without any transposition (CUBLAS_OP_N). How
    // many rows and columns does C^T have? Which operand comes first? What is the distance, in
    // elements, between two columns of B^T, of A^T and of C^T?

    // TODO 4: Destroy the handle.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}
