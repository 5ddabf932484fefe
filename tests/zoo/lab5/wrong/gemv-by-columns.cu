// A product with one column goes to cublasSgemv, which is told that A lies by columns: it lies by
// rows, and is the transpose of what cuBLAS sees.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>

// A handle that cleans up after itself
class Handle {
    cublasHandle_t h;

  public:
    Handle() {
        CUBLAS_CHECK(cublasCreate(&h));
    }
    ~Handle() {
        CUBLAS_CHECK(cublasDestroy(h));
    }
    operator cublasHandle_t() const {
        return h;
    }
};

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    Handle handle;
    const float alpha = 1, beta = 0;

    if (n == 1) {
        // B and C are vectors: there is a routine for that
        CUBLAS_CHECK(cublasSgemv(handle, CUBLAS_OP_N, m, k, &alpha, A, m, B, 1, &beta, C, 1));
        return;
    }
    // row-major: swap the operands
    CUBLAS_CHECK(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, B, n, A, k, &beta, C, n));
}
