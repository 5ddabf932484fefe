// Wrong: inner_product starts with the integer 0, so it sums in int.
#include "lab.h"
#include <algorithm>
#include <numeric>
#include <valarray>
#include <vector>
extern "C" void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    std::vector<float> bt(static_cast<std::size_t>(n) * k);
    for (int p = 0; p < k; ++p)
        for (int j = 0; j < n; ++j)
            bt.at(static_cast<std::size_t>(j) * k + p) = B[p * n + j];
    std::valarray<float> row(static_cast<std::size_t>(k));
    for (int i = 0; i < m; ++i) {
        std::copy_n(A + i * k, k, std::begin(row));
        std::generate_n(C + i * n, n, [&, j = 0]() mutable {
            auto b = bt.begin() + static_cast<std::ptrdiff_t>(j++) * k;
            return std::inner_product(std::begin(row), std::end(row), b, 0);
        });
    }
}
