// Wrong: j + 4 < n leaves out the last whole four columns.
/*
 * Lab 1. Four neighbouring columns at once: then a cache line of B serves four sums, and there are
 * four independent additions in flight. Every element is stored once, so C needs no zeros first.
 */
#include "lab.h"
#include <stddef.h>

static void row_times_matrix(int n, int k, const float *a, const float *B, float *c) {
    int j;
    for (j = 0; j + 4 < n; j += 4) {
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        const float *b = B + j;
        for (int p = 0; p < k; ++p, b += n) {
            s0 += a[p] * b[0];
            s1 += a[p] * b[1];
            s2 += a[p] * b[2];
            s3 += a[p] * b[3];
        }
        c[j + 0] = s0;
        c[j + 1] = s1;
        c[j + 2] = s2;
        c[j + 3] = s3;
    }

    /* the one, two or three columns on the right */
    for (j = n - n % 4; j < n; ++j) {
        float s = 0;
        const float *b = B + j;
        for (int p = 0; p < k; ++p, b += n)
            s += a[p] * *b;
        c[j] = s;
    }
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; ++i) {
        row_times_matrix(n, k, A, B, C);
        A += k;
        C += n;
    }
}
