// one warp loads, the others multiply: named barriers in PTX, two buffers
#include "cuda_check.h"
#include "lab.h"
#define T 32
__device__ __forceinline__ void bar_sync(int id, int count) {
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}
__device__ __forceinline__ void bar_arrive(int id, int count) {
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory");
}
__global__ void __launch_bounds__(288)
    spec(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float a[2][T][T], b[2][T][T];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, r0 = blockIdx.y * T,
              c0 = blockIdx.x * T, steps = (k + T - 1) / T;
    // barrier 1 + s: buffer s is full; 3 + s: buffer s is empty
    if (warp == 8) {
        for (int i = 0; i < steps; ++i) {
            const int s = i & 1, p0 = i * T;
            if (i >= 2)
                bar_sync(3 + s, 288);
            for (int r = 0; r < T; ++r) {
                a[s][r][lane] =
                    r0 + r < m && p0 + lane < k ? A[(size_t)(r0 + r) * k + p0 + lane] : 0.f;
                b[s][r][lane] =
                    p0 + r < k && c0 + lane < n ? B[(size_t)(p0 + r) * n + c0 + lane] : 0.f;
            }
            __threadfence_block();
            bar_arrive(1 + s, 288);
        }
        return;
    }
    float acc[4] = {};
    for (int i = 0; i < steps; ++i) {
        const int s = i & 1;
        bar_sync(1 + s, 288);
        for (int q = 0; q < T; ++q)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                acc[j] += a[s][warp * 4 + j][q] * b[s][q][lane];
        if (i + 2 < steps)
            bar_arrive(3 + s, 288);
    }
    for (int j = 0; j < 4; ++j) {
        const int r = r0 + warp * 4 + j, c = c0 + lane;
        if (r < m && c < n)
            C[(size_t)r * n + c] = acc[j];
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    spec<<<dim3((n + T - 1) / T, (m + T - 1) / T), 288>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
