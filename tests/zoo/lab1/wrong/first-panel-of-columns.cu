// Panels of B; the first panel of columns sets C, where the first part of each sum should.
#include "lab.h"
#include <stddef.h>

enum { COLS = 32, DEPTH = 256, ROWS = 4 };

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    static float panel[DEPTH][COLS];

    for (int j0 = 0; j0 < n; j0 += COLS) {
        int cols = n - j0 < COLS ? n - j0 : COLS;
        for (int p0 = 0; p0 < k; p0 += DEPTH) {
            int depth = k - p0 < DEPTH ? k - p0 : DEPTH;

            for (int p = 0; p < depth; ++p)
                for (int j = 0; j < COLS; ++j)
                    panel[p][j] = j < cols ? B[(size_t)(p0 + p) * n + j0 + j] : 0.0f;

            // The first panel sets C, so I need no loop that fills C with zeros.
            int first = j0 == 0;

            for (int i0 = 0; i0 < m; i0 += ROWS) {
                int rows = m - i0 < ROWS ? m - i0 : ROWS;
                float sum[ROWS][COLS] = {{0.0f}};
                for (int p = 0; p < depth; ++p)
                    for (int r = 0; r < rows; ++r) {
                        float a = A[(size_t)(i0 + r) * k + p0 + p];
                        for (int j = 0; j < COLS; ++j)
                            sum[r][j] += a * panel[p][j];
                    }
                for (int r = 0; r < rows; ++r)
                    for (int j = 0; j < cols; ++j) {
                        float *c = &C[(size_t)(i0 + r) * n + j0 + j];
                        *c = first ? sum[r][j] : *c + sum[r][j];
                    }
            }
        }
    }
}
