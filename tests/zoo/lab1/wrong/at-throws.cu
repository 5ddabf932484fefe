// Wrong: A checked index beyond the vector: an exception that nobody catches.
#include "lab.h"
#include <algorithm>
#include <numeric>
#include <valarray>
#include <vector>
extern "C" void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    std::vector<float> bt(static_cast<std::size_t>(n) * k);
    for (int p = 0; p < k; ++p)
        for (int j = 0; j < n; ++j)
            bt.at(static_cast<std::size_t>(p) * k + j) = B[p * n + j];
    std::valarray<float> row(static_cast<std::size_t>(k));
    for (int i = 0; i < m; ++i) {
        std::copy_n(A + i * k, k, std::begin(row));
        std::generate_n(C + i * n, n, [&, j = 0]() mutable {
            auto b = bt.begin() + static_cast<std::ptrdiff_t>(j++) * k;
            return std::inner_product(std::begin(row), std::end(row), b, 0.0f);
        });
    }
}
