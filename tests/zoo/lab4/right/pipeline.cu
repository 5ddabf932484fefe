// Copies in the background through the pipeline primitives, two stages.
#include <cuda_pipeline.h>
#include "lab.h"
#include "cuda_check.h"
constexpr int T = 32;
__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float a[2][T][T], b[2][T][T];
    int x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * T + y, c = blockIdx.x * T + x;
    float s = 0;
    int phases = (k + T - 1) / T;
    auto load = [&](int ph) {
        int st = ph & 1, ca = ph * T + x, rb = ph * T + y;
        if (r < m && ca < k) __pipeline_memcpy_async(&a[st][y][x], A + (size_t)r * k + ca, 4); else a[st][y][x] = 0;
        if (rb < k && c < n) __pipeline_memcpy_async(&b[st][y][x], B + (size_t)rb * n + c, 4); else b[st][y][x] = 0;
        __pipeline_commit();
    };
    load(0);
    for (int ph = 0; ph < phases; ph++) {
        if (ph + 1 < phases) { load(ph + 1); __pipeline_wait_prior(1); } else __pipeline_wait_prior(0);
        __syncthreads();
        for (int p = 0; p < T; p++) s += a[ph & 1][y][p] * b[ph & 1][p][x];
        __syncthreads();
    }
    if (r < m && c < n) C[(size_t)r * n + c] = s;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
