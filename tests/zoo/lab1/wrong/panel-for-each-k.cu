// A panel that is kept for the next call is made anew, and the old one lost, when k is another.
// Lab 1: the CPU baseline. C = A * B in plain C, on one core.
//
// B is taken in strips of 32 columns. A strip is copied to a panel of k rows, and used for all rows
// of A before the next one; the panel stays for the next call.

#include "lab.h"
#include <stddef.h>
#include <stdlib.h>

#define STRIP 32 // columns of B in a panel
#define ROWS  4  // rows of C summed up at a time

// The panel, kept from call to call: k rows of STRIP floats.
static float *panel = NULL;
static int panel_rows = 0;

static float *panel_of(int rows) {
    if (rows != panel_rows) {
        panel = (float *)malloc((size_t)rows * STRIP * sizeof(float));
        if (!panel)
            abort();
        panel_rows = rows;
    }
    return panel;
}

// A few rows of C: sums in a local array, stored once.
static void multiply_rows(int rows, int cols, int k, const float *A, const float *strip, float *C,
                          int n) {
    const float *row[ROWS];
    for (int i = 0; i < ROWS; ++i)
        row[i] = A + (size_t)(i < rows ? i : rows - 1) * k;

    float sum[ROWS][STRIP] = {{0.0f}};
    for (int p = 0; p < k; ++p)
        for (int i = 0; i < ROWS; ++i) {
            float a = row[i][p];
            for (int j = 0; j < STRIP; ++j)
                sum[i][j] += a * strip[(size_t)p * STRIP + j];
        }

    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            C[(size_t)i * n + j] = sum[i][j];
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    float *strip = panel_of(k);

    for (int j0 = 0; j0 < n; j0 += STRIP) {
        int cols = n - j0 < STRIP ? n - j0 : STRIP;
        for (int p = 0; p < k; ++p)
            for (int j = 0; j < STRIP; ++j)
                strip[(size_t)p * STRIP + j] = j < cols ? B[(size_t)p * n + j0 + j] : 0.0f;

        for (int i0 = 0; i0 < m; i0 += ROWS) {
            int rows = m - i0 < ROWS ? m - i0 : ROWS;
            multiply_rows(rows, cols, k, A + (size_t)i0 * k, strip, C + (size_t)i0 * n + j0, n);
        }
    }
}
