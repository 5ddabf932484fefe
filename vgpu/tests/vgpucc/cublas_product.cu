// flags: -lcublas
// Row-major data in column-major cuBLAS: C = A B as Ct = Bt At.
#include <cublas_v2.h>
#include <stdio.h>

int main() {
    const int m = 2, n = 4, k = 3;
    float a[m * k] = {1, 2, 3, 4, 5, 6};
    float b[k * n] = {1, 0, 0, 2, 0, 1, 0, 3, 0, 0, 1, 4};
    float c[m * n];
    const float one = 1, zero = 0;
    float *da, *db, *dc;
    cublasHandle_t handle;
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dc, sizeof c);
    cublasCreate(&handle);
    cublasSetMatrix(k, m, sizeof(float), a, k, da, k);
    cublasSetMatrix(n, k, sizeof(float), b, n, db, n);
    cublasStatus_t status =
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, db, n, da, k, &zero, dc, n);
    cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
    printf("%s\n", cublasGetStatusString(status));
    for (int i = 0; i < m; i++)
        printf("%g %g %g %g\n", c[i * n], c[i * n + 1], c[i * n + 2], c[i * n + 3]);
    /* The usual mistake: row-major leading dimensions. */
    status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da, k, db, n, &zero, dc, n);
    printf("%s, %s\n", cublasGetStatusName(status), cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s\n", cublasGetStatusName(cublasDestroy(handle)));
    return 0;
}
