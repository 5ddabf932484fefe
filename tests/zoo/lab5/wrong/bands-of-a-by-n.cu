// Wrong: a band of A begins at first * n, not at first * k.
// Lab 5. The product is cut into bands of 128 rows of C; each is one call of cuBLAS.

#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>

enum { BAND = 128 };

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    const float alpha = 1.0f;
    const float beta = 0.0f;

    for (int first = 0; first < m; first += BAND) {
        int rows = m - first;
        if (rows > BAND)
            rows = BAND;

        const float *band_A = A + (size_t)first * n;
        float *band_C = C + (size_t)first * n;
        CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, rows, k, &alpha, B, n, band_A,
                                 k, &beta, band_C, n));
    }

    CUBLAS_CHECK(cublasDestroy(handle));
}
