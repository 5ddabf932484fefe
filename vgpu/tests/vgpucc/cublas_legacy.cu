// flags: -lcublas
// cuBLAS without handles, as programs of before 2011 call it.
#include <cublas.h>
#include <stdio.h>

int main() {
    const int m = 2, n = 4, k = 3;
    float a[m * k] = {1, 2, 3, 4, 5, 6};
    float b[k * n] = {1, 0, 0, 2, 0, 1, 0, 3, 0, 0, 1, 4};
    float c[m * n];
    float *da, *db, *dc;
    cublasStatus before = cublasShutdown();
    printf("shut down before: %d\n", (int)before);
    printf("%d %d\n", (int)cublasInit(), (int)cublasInit());
    cublasAlloc(m * k, sizeof(float), (void **)&da);
    cublasAlloc(k * n, sizeof(float), (void **)&db);
    cublasAlloc(m * n, sizeof(float), (void **)&dc);
    cublasSetMatrix(k, m, sizeof(float), a, k, da, k);
    cublasSetMatrix(n, k, sizeof(float), b, n, db, n);
    cublasSgemm('n', 'N', n, m, k, 1.0f, db, n, da, k, 0.0f, dc, n);
    printf("%d\n", (int)cublasGetError());
    cublasGetMatrix(n, m, sizeof(float), dc, n, c, n);
    for (int i = 0; i < m; i++)
        printf("%g %g %g %g\n", c[i * n], c[i * n + 1], c[i * n + 2], c[i * n + 3]);
    /* The first failure is kept until it is asked for, and then forgotten. */
    cublasSgemm('x', 'n', n, m, k, 1.0f, db, n, da, k, 0.0f, dc, n);
    cublasSgemm('n', 'n', n, m, k, 1.0f, db, n, da, k, 0.0f, dc, n);
    const cublasStatus first = cublasGetError(), then = cublasGetError();
    printf("%s, then %s\n", cublasGetStatusName(first), cublasGetStatusName(then));
    cublasFree(da), cublasFree(db), cublasFree(dc);
    printf("%d\n", (int)cublasShutdown());
    cublasSgemm('n', 'n', n, m, k, 1.0f, da, n, db, k, 0.0f, dc, n);
    printf("%s\n", cublasGetStatusName(cublasGetError()));
    return 0;
}
