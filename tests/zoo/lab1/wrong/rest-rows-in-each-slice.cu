// Wrong: the rows that are left take all of k in each slice of it.
// Lab 1, CPU baseline
// B is cut into slices of 128 rows. Four rows of C share every element of B that is loaded.

#include "lab.h"
#include <stddef.h>

#define SLICE 128

// c[0..3] += a[0..3] * B, only p from..to-1
static void four_rows(int n, int k, int from, int to, const float *a, const float *B, float *c) {
    const float *a0 = a;
    const float *a1 = a0 + k;
    const float *a2 = a1 + k;
    const float *a3 = a2 + k;
    float *c0 = c;
    float *c1 = c0 + n;
    float *c2 = c1 + n;
    float *c3 = c2 + n;

    for (int p = from; p < to; p++) {
        const float *b = B + (size_t)p * n;
        const float x0 = a0[p], x1 = a1[p], x2 = a2[p], x3 = a3[p];
        for (int j = 0; j < n; j++) {
            const float y = b[j];
            c0[j] += x0 * y;
            c1[j] += x1 * y;
            c2[j] += x2 * y;
            c3[j] += x3 * y;
        }
    }
}

// c += a * B, for one row that is left over
static void one_row(int n, int k, const float *a, const float *B, float *c) {
    for (int p = 0; p < k; p++) {
        const float *b = B + (size_t)p * n;
        const float x = a[p];
        for (int j = 0; j < n; j++)
            c[j] += x * b[j];
    }
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    const size_t count = (size_t)m * n;
    for (size_t e = 0; e < count; e++)
        C[e] = 0.0f;

    for (int from = 0; from < k; from += SLICE) {
        int to = k - from > SLICE ? from + SLICE : k;

        int i = 0;
        for (; i + 4 <= m; i += 4)
            four_rows(n, k, from, to, A + (size_t)i * k, B, C + (size_t)i * n);
        for (; i < m; i++)
            one_row(n, k, A + (size_t)i * k, B, C + (size_t)i * n);
    }
}
