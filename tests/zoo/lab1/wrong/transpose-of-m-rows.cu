// B's transpose gets memory for m x k floats, and has n x k: where n is larger, the loop stores
// past the end of the block.
#include "lab.h"
#include <stdlib.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    float *T = (float *)malloc((size_t)m * k * sizeof(float));
    if (!T)
        abort();
    for (int p = 0; p < k; p++)
        for (int j = 0; j < n; j++)
            T[(size_t)j * k + p] = B[(size_t)p * n + j];

    for (int i = 0; i < m; i++) {
        const float *a = A + (size_t)i * k;
        for (int j = 0; j < n; j++) {
            const float *b = T + (size_t)j * k;
            float s[8] = {0};
            int p = 0;
            for (; p + 8 <= k; p += 8)
                for (int q = 0; q < 8; q++)
                    s[q] += a[p + q] * b[p + q];
            for (; p < k; p++)
                s[0] += a[p] * b[p];
            C[(size_t)i * n + j] =
                ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
        }
    }
    free(T);
}
