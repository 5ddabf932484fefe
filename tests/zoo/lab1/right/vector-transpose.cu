// C++ style: B is transposed into a std::vector, then every element is one std::inner_product.
#include "lab.h"
#include <numeric>
#include <vector>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    std::vector<float> bt(static_cast<size_t>(k) * n);
    for (int p = 0; p < k; ++p)
        for (int j = 0; j < n; ++j)
            bt[static_cast<size_t>(j) * k + p] = B[static_cast<size_t>(p) * n + j];
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            C[static_cast<size_t>(i) * n + j] = std::inner_product(
                A + static_cast<size_t>(i) * k, A + static_cast<size_t>(i + 1) * k,
                bt.begin() + static_cast<size_t>(j) * k, 0.0f);
}
