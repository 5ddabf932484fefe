// The column of B is copied into memory that is freed in the loop over columns, and behind it again.
#include "lab.h"
#include <stdlib.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    float *column = NULL;
    for (int j = 0; j < n; j++) {
        column = (float *)malloc((size_t)k * sizeof(float));
        for (int p = 0; p < k; p++)
            column[p] = B[(size_t)p * n + j];
        for (int i = 0; i < m; i++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[(size_t)i * k + p] * column[p];
            C[(size_t)i * n + j] = sum;
        }
        free(column);
    }
    free(column);
}
