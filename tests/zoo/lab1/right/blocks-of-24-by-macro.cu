// Blocks of 24 in all three directions, C cleared first, elements by a macro.
#include "lab.h"
#include <algorithm>
#define BS 24
#define AT(M, r, c, w) M[(size_t)(r) * (w) + (c)]
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    std::fill(C, C + (size_t)m * n, 0.0f);
    for (int ib = 0; ib < m; ib += BS)
        for (int pb = 0; pb < k; pb += BS)
            for (int jb = 0; jb < n; jb += BS) {
                const int ie = std::min(ib + BS, m);
                const int pe = std::min(pb + BS, k);
                const int je = std::min(jb + BS, n);
                for (int i = ib; i < ie; i++)
                    for (int j = jb; j < je; j++) {
                        float acc = AT(C, i, j, n);
                        for (int p = pb; p < pe; p++)
                            acc += AT(A, i, p, k) * AT(B, p, j, n);
                        AT(C, i, j, n) = acc;
                    }
            }
}
