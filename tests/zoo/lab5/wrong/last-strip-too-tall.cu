// Wrong: the product in strips of 512 rows, and the last strip has 512, too.

#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>

#define STRIP 512

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    const float alpha = 1.0f, beta = 0.0f;

    int rows = m < STRIP ? m : STRIP;
    for (int first = 0; first < m; first += rows) {
        const float *a = A + (size_t)first * k;
        float *c = C + (size_t)first * n;
        CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, rows, k, &alpha, B, n, a, k,
                                 &beta, c, n));
    }

    CUBLAS_CHECK(cublasDestroy(handle));
}
