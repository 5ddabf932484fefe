// The number of floats is unsigned, so that count - 4 is no negative number where count is less
// than 4, and the loop by fours runs far beyond both arrays.
#include "lab.h"

#include <cstddef>
#include <vector>

static float dot(const float *x, const float *y, size_t count) {
    float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
    size_t p = 0;

    // four at a time ...
    for (; p <= count - 4; p += 4) {
        s0 += x[p + 0] * y[p + 0];
        s1 += x[p + 1] * y[p + 1];
        s2 += x[p + 2] * y[p + 2];
        s3 += x[p + 3] * y[p + 3];
    }
    // ... and the rest
    for (; p < count; ++p)
        s0 += x[p] * y[p];

    return (s0 + s1) + (s2 + s3);
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    const size_t rows = m, cols = n, depth = k;
    std::vector<float> column(depth);

    for (size_t j = 0; j < cols; ++j) {
        for (size_t p = 0; p < depth; ++p)
            column[p] = B[p * cols + j];

        for (size_t i = 0; i < rows; ++i)
            C[i * cols + j] = dot(A + i * depth, column.data(), depth);
    }
}
