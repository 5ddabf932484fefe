// as many blocks as the device runs at once; each walks over tiles by an atomic counter
#include "cuda_check.h"
#include "lab.h"
constexpr int S = 64, KS = 16;
__device__ int next_tile;
__global__ void __launch_bounds__(256)
    walk(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float a[S][KS + 1], b[KS][S];
    __shared__ int tile;
    const int across = (n + S - 1) / S, tiles = across * ((m + S - 1) / S), t = threadIdx.x,
              tx = t % 16, ty = t / 16;
    for (;;) {
        __syncthreads();
        if (t == 0)
            tile = atomicAdd(&next_tile, 1);
        __syncthreads();
        if (tile >= tiles)
            return;
        const int r0 = tile / across * S, c0 = tile % across * S;
        float acc[4][4] = {};
        for (int p0 = 0; p0 < k; p0 += KS) {
            for (int e = t; e < S * KS; e += 256) {
                a[e / KS][e % KS] = r0 + e / KS < m && p0 + e % KS < k
                                        ? A[(size_t)(r0 + e / KS) * k + p0 + e % KS]
                                        : 0;
                b[e / S][e % S] =
                    p0 + e / S < k && c0 + e % S < n ? B[(size_t)(p0 + e / S) * n + c0 + e % S] : 0;
            }
            __syncthreads();
#pragma unroll
            for (int p = 0; p < KS; ++p) {
                float x[4] = {a[ty][p], a[ty + 16][p], a[ty + 32][p], a[ty + 48][p]};
                float y[4] = {b[p][tx], b[p][tx + 16], b[p][tx + 32], b[p][tx + 48]};
#pragma unroll
                for (int i = 0; i < 16; ++i)
                    acc[i / 4][i % 4] += x[i / 4] * y[i % 4];
            }
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const int r = r0 + ty + 16 * (i / 4), c = c0 + tx + 16 * (i % 4);
            if (r < m && c < n)
                C[(size_t)r * n + c] = acc[i / 4][i % 4];
        }
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int device, sms, per_sm;
    const int zero = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, walk, 256, 0));
    CUDA_CHECK(cudaMemcpyToSymbol(next_tile, &zero, sizeof zero));
    walk<<<sms * per_sm, 256>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
