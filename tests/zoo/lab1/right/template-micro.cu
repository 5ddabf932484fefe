// A 4x4 register block as a template, with a scalar tail for the edges.
#include "lab.h"

template <int R, int S> static void micro(int n, int k, const float *A, const float *B, float *C) {
    float acc[R][S] = {};
    for (int p = 0; p < k; ++p)
        for (int r = 0; r < R; ++r)
            for (int s = 0; s < S; ++s)
                acc[r][s] += A[r * k + p] * B[p * n + s];
    for (int r = 0; r < R; ++r)
        for (int s = 0; s < S; ++s)
            C[r * n + s] = acc[r][s];
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    int i = 0;
    for (; i + 4 <= m; i += 4) {
        int j = 0;
        for (; j + 4 <= n; j += 4)
            micro<4, 4>(n, k, A + i * k, B + j, C + i * n + j);
        for (; j < n; ++j)
            micro<4, 1>(n, k, A + i * k, B + j, C + i * n + j);
    }
    for (; i < m; ++i)
        for (int j = 0; j < n; ++j)
            micro<1, 1>(n, k, A + i * k, B + j, C + i * n + j);
}
