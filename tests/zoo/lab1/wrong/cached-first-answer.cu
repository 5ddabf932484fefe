// Keeps the first answer it computed for a size and returns it ever after. Fresh inputs at the
// same size must show it.
#include "lab.h"
#include <map>
#include <tuple>
#include <vector>

static void product(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    static std::map<std::tuple<int, int, int>, std::vector<float>> seen;
    std::vector<float> &answer = seen[std::make_tuple(m, n, k)];
    if (answer.empty()) {
        answer.resize(static_cast<size_t>(m) * n);
        product(m, n, k, A, B, answer.data());
    }
    for (size_t i = 0; i < answer.size(); ++i)
        C[i] = answer[i];
}
