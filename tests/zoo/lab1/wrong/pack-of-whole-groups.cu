// The packed copy of A has room for m rows, and gets groups of four: the last one goes past its
// end.
#include "lab.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ROWS  4   // rows of A that are packed side by side
#define DEPTH 128 // columns of A that are worked on at a time

static int min_int(int a, int b) {
    return a < b ? a : b;
}

// Packs columns p0 to p0 + depth - 1 of A: groups of ROWS rows, in each group column after column.
// Rows that A does not have are zeros.
static void pack_A(int m, int k, int p0, int depth, const float *A, float *packed) {
    for (int i0 = 0; i0 < m; i0 += ROWS)
        for (int p = 0; p < depth; ++p)
            for (int i = 0; i < ROWS; ++i)
                *packed++ = i0 + i < m ? A[(size_t)(i0 + i) * k + p0 + p] : 0.0f;
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    memset(C, 0, (size_t)m * n * sizeof(float));

    float *packed = (float *)malloc((size_t)m * min_int(k, DEPTH) * sizeof(float));
    if (!packed)
        abort();

    for (int p0 = 0; p0 < k; p0 += DEPTH) {
        int depth = min_int(DEPTH, k - p0);
        pack_A(m, k, p0, depth, A, packed);

        for (int i0 = 0; i0 < m; i0 += ROWS) {
            const float *group = packed + (size_t)i0 * depth;
            int rows = min_int(ROWS, m - i0);
            for (int p = 0; p < depth; ++p) {
                const float *b = B + (size_t)(p0 + p) * n;
                for (int i = 0; i < rows; ++i) {
                    float a = group[p * ROWS + i];
                    float *c = C + (size_t)(i0 + i) * n;
                    for (int j = 0; j < n; ++j)
                        c[j] += a * b[j];
                }
            }
        }
    }
    free(packed);
}
