// Divide and conquer: splits the largest dimension in halves until the piece is small, then
// multiplies it.
#include "lab.h"

/* C += A * B on pieces; the strides are those of the whole matrices. */
static void piece(int m, int n, int k, const float *A, int sa, const float *B, int sb, float *C,
                  int sc) {
    if (m <= 16 && n <= 16 && k <= 16) {
        for (int i = 0; i < m; i++)
            for (int p = 0; p < k; p++)
                for (int j = 0; j < n; j++)
                    C[i * sc + j] += A[i * sa + p] * B[p * sb + j];
    } else if (m >= n && m >= k) {
        piece(m / 2, n, k, A, sa, B, sb, C, sc);
        piece(m - m / 2, n, k, A + m / 2 * sa, sa, B, sb, C + m / 2 * sc, sc);
    } else if (n >= k) {
        piece(m, n / 2, k, A, sa, B, sb, C, sc);
        piece(m, n - n / 2, k, A, sa, B + n / 2, sb, C + n / 2, sc);
    } else {
        piece(m, n, k / 2, A, sa, B, sb, C, sc);
        piece(m, n, k - k / 2, A + k / 2, sa, B + k / 2 * sb, sb, C, sc);
    }
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m * n; i++)
        C[i] = 0.0f;
    piece(m, n, k, A, k, B, n, C, n);
}
