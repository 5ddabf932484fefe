// Wrong: Halving a side drops the odd element.
#include "lab.h"
#include <vector>
template <class F> static void split(int m, int n, int k, int i, int j, int p, F &&f) {
    if (m <= 24 && n <= 24 && k <= 24)
        f(i, j, p, m, n, k);
    else if (m >= n && m >= k)
        split(m / 2, n, k, i, j, p, f), split(m - m / 2, n, k, i + m / 2, j, p, f);
    else if (n >= k)
        split(m, n / 2, k, i, j, p, f), split(m, n - n / 2, k, i, j + n / 2, p, f);
    else
        split(m, n, k / 2, i, j, p, f), split(m, n, k / 2, i, j, p + k / 2, f);
}
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    std::vector<double> acc((size_t)m * n, 0.0);
    split(m, n, k, 0, 0, 0, [&](int i0, int j0, int p0, int mm, int nn, int kk) {
        for (int i = i0; i < i0 + mm; ++i)
            for (int p = p0; p < p0 + kk; ++p)
                for (int j = j0; j < j0 + nn; ++j)
                    acc[(size_t)i * n + j] += (double)A[i * k + p] * B[p * n + j];
    });
    for (size_t e = 0; e < acc.size(); ++e)
        C[e] = (float)acc[e];
}
