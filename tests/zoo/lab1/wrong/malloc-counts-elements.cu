// B is transposed first, into memory of as many bytes as B has elements: a quarter of it. What is
// stored behind it damages the heap, or goes astray as far as A and B.
#include "lab.h"
#include <stdlib.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    float *turned = (float *)malloc((size_t)k * n);
    for (int p = 0; p < k; p++)
        for (int j = 0; j < n; j++)
            turned[(size_t)j * k + p] = B[(size_t)p * n + j];
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += A[(size_t)i * k + p] * turned[(size_t)j * k + p];
            C[(size_t)i * n + j] = sum;
        }
    }
    free(turned);
}
