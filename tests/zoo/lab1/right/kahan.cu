// Compensated summation, with a helper struct and fmaf from math.h.
#include "lab.h"
#include <math.h>

struct kahan {
    float sum, lost;
};

static void add(struct kahan *s, float term) {
    float y = term - s->lost;
    float t = s->sum + y;
    s->lost = (t - s->sum) - y;
    s->sum = t;
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            struct kahan s = {0.0f, 0.0f};
            for (int p = 0; p + 1 < k; p += 2)
                add(&s, fmaf(A[i * k + p], B[p * n + j], A[i * k + p + 1] * B[(p + 1) * n + j]));
            if (k % 2)
                add(&s, A[i * k + k - 1] * B[(k - 1) * n + j]);
            C[i * n + j] = s.sum;
        }
}
