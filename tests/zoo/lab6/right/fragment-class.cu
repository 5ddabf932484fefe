// Sums in a class with an outer product and a visitor, shapes in a policy class, lambdas that fetch elements,
// six by six elements a thread.
#include "cuda_check.h"
#include "lab.h"
#include <type_traits>

template <int R, int C> struct Fragment {
    float v[R][C];
    __device__ Fragment() {
#pragma unroll
        for (auto &row : v)
#pragma unroll
            for (auto &x : row) x = 0.f;
    }
    __device__ void outer(const float (&a)[R], const float (&b)[C]) {
#pragma unroll
        for (int i = 0; i < R; ++i)
#pragma unroll
            for (int j = 0; j < C; ++j) v[i][j] = __fmaf_rn(a[i], b[j], v[i][j]);
    }
    template <class F> __device__ void each(F f) const {
#pragma unroll
        for (int i = 0; i < R; ++i)
#pragma unroll
            for (int j = 0; j < C; ++j) f(i, j, v[i][j]);
    }
};

struct Policy { static constexpr int threads_y = 16, threads_x = 16, frag_y = 6, frag_x = 6, depth = 16;
                static constexpr int rows = threads_y * frag_y, cols = threads_x * frag_x, threads = threads_x * threads_y; };

template <int Rows, int Cols, int Threads, class G>
__device__ void cooperative_fill(float (&dst)[Rows][Cols], G get) {
    static_assert(Rows * Cols % Threads == 0, "even split");
#pragma unroll
    for (int base = 0; base < Rows * Cols; base += Threads) {
        const int e = base + threadIdx.x;
        dst[e / Cols][e % Cols] = get(e / Cols, e % Cols);
    }
}

template <class P>
__global__ void gemm(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float sa[P::rows][P::depth];
    __shared__ float sb[P::depth][P::cols];
    const int by = blockIdx.y * P::rows, bx = blockIdx.x * P::cols;
    const int ty = threadIdx.x / P::threads_x, tx = threadIdx.x % P::threads_x;
    Fragment<P::frag_y, P::frag_x> acc;
    for (int k0 = 0; k0 < k; k0 += P::depth) {
        cooperative_fill<P::rows, P::depth, P::threads>(sa, [=](int r, int c) { return by + r < m && k0 + c < k ? A[(size_t)(by + r) * k + k0 + c] : 0.f; });
        cooperative_fill<P::depth, P::cols, P::threads>(sb, [=](int r, int c) { return k0 + r < k && bx + c < n ? B[(size_t)(k0 + r) * n + bx + c] : 0.f; });
        __syncthreads();
#pragma unroll
        for (int p = 0; p < P::depth; ++p) {
            float a[P::frag_y], b[P::frag_x];
#pragma unroll
            for (int i = 0; i < P::frag_y; ++i) a[i] = sa[ty + i * P::threads_y][p];
#pragma unroll
            for (int j = 0; j < P::frag_x; ++j) b[j] = sb[p][tx + j * P::threads_x];
            acc.outer(a, b);
        }
        __syncthreads();
    }
    acc.each([&](int i, int j, float x) {
        const int r = by + ty + i * P::threads_y, c = bx + tx + j * P::threads_x;
        if (r < m && c < n) C[(size_t)r * n + c] = x;
    });
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    using P = Policy;
    constexpr auto cd = [](int a, int b) { return (a + b - 1) / b; };
    for (int r = 0; r < m; r += 65535 * P::rows) {
        const int rows = m - r < 65535 * P::rows ? m - r : 65535 * P::rows;
        gemm<P><<<dim3(cd(n, P::cols), cd(rows, P::rows)), P::threads>>>(rows, n, k, A + (size_t)r * k, B, C + (size_t)r * n);
        CUDA_CHECK_LAUNCH();
        if (rows < 65535 * P::rows) return;
    }
}
