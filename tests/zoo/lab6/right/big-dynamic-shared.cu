// 64 deep slabs in dynamic shared memory, opt-in above 48 KiB; falls back to 16 deep if the device
// has no more
#include "cuda_check.h"
#include "lab.h"
template <int DEPTH>
__global__ void __launch_bounds__(256) wide(int m, int n, int k, const float *__restrict__ A,
                                            const float *__restrict__ B, float *__restrict__ C) {
    extern __shared__ float pool[];
    float *const sa = pool, *const sb = pool + DEPTH * 129;
    const int t = threadIdx.x, tx = t & 15, ty = t >> 4;
    const int r0 = blockIdx.y << 7, c0 = blockIdx.x << 7;
    float acc[64] = {};
    for (int p0 = 0; p0 < k; p0 += DEPTH) {
        for (int e = t; e < 128 * DEPTH; e += 256) {
            const int ar = e / DEPTH, ap = e % DEPTH, bp = e >> 7, bc = e & 127;
            sa[ap * 129 + ar] =
                (r0 + ar < m && p0 + ap < k) ? A[(size_t)(r0 + ar) * k + p0 + ap] : 0.f;
            sb[e] = (p0 + bp < k && c0 + bc < n) ? B[(size_t)(p0 + bp) * n + c0 + bc] : 0.f;
        }
        __syncthreads();
        const int depth = min(DEPTH, k - p0);
        for (int p = 0; p < depth; ++p) {
            float a[8], b[8];
#pragma unroll
            for (int i = 0; i < 8; ++i)
                a[i] = sa[p * 129 + ty + 16 * i], b[i] = sb[(p << 7) + tx + 16 * i];
#pragma unroll
            for (int i = 0; i < 64; ++i)
                acc[i] += a[i >> 3] * b[i & 7];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        const int r = r0 + ty + 16 * (i >> 3), c = c0 + tx + 16 * (i & 7);
        if (r < m && c < n)
            C[(size_t)r * n + c] = acc[i];
    }
}
template <int D>
static bool launch(int m, int n, int k, const float *A, const float *B, float *C, int limit) {
    const int bytes = (D * 129 + D * 128) * (int)sizeof(float);
    if (bytes > limit)
        return false;
    CUDA_CHECK(cudaFuncSetAttribute(wide<D>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    wide<D><<<dim3((n + 127) / 128, (m + 127) / 128), 256, bytes>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
    return true;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int dev, limit;
    CUDA_CHECK(cudaGetDevice(&dev));
    CUDA_CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, dev));
    launch<64>(m, n, k, A, B, C, limit) || launch<16>(m, n, k, A, B, C, limit);
}
