// A column of B at a time in a vector, and dot products with four sums side by side.
#include "lab.h"
#include <vector>
static float dot(const float *x, const float *y, int len) {
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = 0;
    for (; i + 3 < len; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < len; i++)
        s0 += x[i] * y[i];
    return s0 + s1 + s2 + s3;
}
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    std::vector<float> column(k);
    for (int j = 0; j < n; j++) {
        for (int p = 0; p < k; p++)
            column[p] = B[(size_t)p * n + j];
        for (int i = 0; i < m; i++)
            C[(size_t)i * n + j] = dot(A + (size_t)i * k, column.data(), k);
    }
}
