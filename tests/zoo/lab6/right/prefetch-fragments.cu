// A thread has 4 x 8 sums; the next slab waits in registers while this one is used.
#include "cuda_check.h"
#include "lab.h"
namespace tile {
template <int H, int W> struct Fragment {
    float v[H * W];
    __device__ Fragment() {
#pragma unroll
        for (float &x : v)
            x = 0;
    }
    __device__ float &operator()(int r, int c) {
        return v[r * W + c];
    }
};
constexpr int M = 64, N = 128, K = 16, TM = 4, TN = 8, TX = N / TN, TY = M / TM, T = TX * TY;
struct Loader {
    const float *base;
    int rows, cols, r, c;
    __device__ float get(int dr, int dc) const {
        const int y = r + dr, x = c + dc;
        return y < rows && x < cols ? __ldg(base + size_t(y) * cols + x) : 0.f;
    }
};
__global__ __launch_bounds__(T) void kernel(int m, int n, int k, const float *A, const float *B,
                                            float *C) {
    __shared__ float as[2][K][M + 4], bs[2][K][N];
    const int t = threadIdx.x;
    Loader la{A, m, k, (int)blockIdx.y * M + t / K, t % K},
        lb{B, k, n, t / N, (int)blockIdx.x * N + t % N};
    float ra[M * K / T], rb[K * N / T];
    auto fetch = [&](int p) {
#pragma unroll
        for (int i = 0; i < M * K / T; ++i)
            ra[i] = la.get(i * (T / K), p);
#pragma unroll
        for (int i = 0; i < K * N / T; ++i)
            rb[i] = lb.get(p + i * (T / N), 0);
    };
    auto put = [&](int s) {
#pragma unroll
        for (int i = 0; i < M * K / T; ++i)
            as[s][t % K][t / K + i * (T / K)] = ra[i];
#pragma unroll
        for (int i = 0; i < K * N / T; ++i)
            bs[s][t / N + i * (T / N)][t % N] = rb[i];
    };
    Fragment<TM, TN> acc;
    const int ty = t / TX, tx = t % TX;
    fetch(0);
    put(0);
    __syncthreads();
    int s = 0;
    for (int p = K; p - K < k; p += K, s ^= 1) {
        if (p < k)
            fetch(p);
#pragma unroll
        for (int q = 0; q < K; ++q) {
            Fragment<TM, 1> a;
            Fragment<1, TN> b;
#pragma unroll
            for (int i = 0; i < TM; ++i)
                a(i, 0) = as[s][q][ty * TM + i];
#pragma unroll
            for (int j = 0; j < TN; ++j)
                b(0, j) = bs[s][q][tx + j * TX];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc(i, j) += a(i, 0) * b(0, j);
        }
        if (p < k)
            put(s ^ 1);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int r = blockIdx.y * M + ty * TM + i, c = blockIdx.x * N + tx + j * TX;
            if (r < m && c < n)
                C[size_t(r) * n + c] = acc(i, j);
        }
}
} // namespace tile
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    using namespace tile;
    kernel<<<dim3((n - 1) / N + 1, (m - 1) / M + 1), T>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
