// A macro without brackets around it: the second panel of k ends before it begins.
#include "lab.h"
#include <stddef.h>
#include <string.h>

#define BI 64
#define BP 64
#define BJ 256

#define MIN(a, b) (a) < (b) ? (a) : (b)

// C(i0..i1, j0..j1) += A(i0..i1, p0..p1) * B(p0..p1, j0..j1)
static void block(int i0, int i1, int j0, int j1, int p0, int p1, int n, int k, const float *A,
                  const float *B, float *C) {
    for (int i = i0; i < i1; i++) {
        float *c = C + (size_t)i * n;
        for (int p = p0; p < p1; p++) {
            const float a = A[(size_t)i * k + p];
            const float *b = B + (size_t)p * n;
            for (int j = j0; j < j1; j++)
                c[j] += a * b[j];
        }
    }
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    memset(C, 0, (size_t)m * n * sizeof *C);

    for (int j0 = 0; j0 < n; j0 += BJ) {
        int j1 = MIN(j0 + BJ, n);
        for (int p0 = 0; p0 < k; p0 += BP) {
            int p1 = p0 + MIN(BP, k - p0);
            for (int i0 = 0; i0 < m; i0 += BI) {
                int i1 = MIN(i0 + BI, m);
                block(i0, i1, j0, j1, p0, p1, n, k, A, B, C);
            }
        }
    }
}
