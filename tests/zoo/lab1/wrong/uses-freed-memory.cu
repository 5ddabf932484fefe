// A row of sums is freed at the end of the loop over rows, and used again in the next round.
#include "lab.h"
#include <stdlib.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    float *sums = (float *)malloc((size_t)n * sizeof(float));
    if (!sums)
        abort();
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            sums[j] = 0.0f;
        for (int p = 0; p < k; p++)
            for (int j = 0; j < n; j++)
                sums[j] += A[(size_t)i * k + p] * B[(size_t)p * n + j];
        for (int j = 0; j < n; j++)
            C[(size_t)i * n + j] = sums[j];
        if (i == m - 2 || m == 1)
            free(sums);
    }
}
