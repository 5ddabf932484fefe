// Keeps a growing scratch buffer between calls (static std::vector). Calls of growing and
// shrinking sizes must all be right.
#include "lab.h"
#include <vector>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    static std::vector<float> row;
    if (row.size() < static_cast<size_t>(n))
        row.resize(n);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j)
            row[j] = 0.0f;
        for (int p = 0; p < k; ++p)
            for (int j = 0; j < n; ++j)
                row[j] += A[i * k + p] * B[p * n + j];
        for (int j = 0; j < n; ++j)
            C[i * n + j] = row[j];
    }
}
