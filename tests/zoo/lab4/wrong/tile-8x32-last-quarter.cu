// Wrong: 32 x 8 threads fill the tile in steps of 8, and stop one step early.
#include "cuda_check.h"
#include "lab.h"
__global__ void kernel(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float both[2 * 32 * 32];
    float *a = both, *b = both + 32 * 32;
    float sum[4] = {0};
    for (int p = 0; p < k; p += 32) {
        for (int y = threadIdx.y; y < 24; y += 8) {
            int i = blockIdx.y * 32 + y, q = p + threadIdx.x, j = blockIdx.x * 32 + threadIdx.x, r = p + y;
            a[y * 32 + threadIdx.x] = i < m && q < k ? A[i * k + q] : 0;
            b[y * 32 + threadIdx.x] = r < k && j < n ? B[r * n + j] : 0;
        }
        __syncthreads();
        for (int q = 0; q < 32; q++)
            for (int u = 0; u < 4; u++)
                sum[u] += a[(threadIdx.y + 8 * u) * 32 + q] * b[q * 32 + threadIdx.x];
        __syncthreads();
    }
    for (int u = 0; u < 4; u++) {
        int i = blockIdx.y * 32 + threadIdx.y + 8 * u, j = blockIdx.x * 32 + threadIdx.x;
        if (i < m && j < n)
            C[i * n + j] = sum[u];
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    kernel<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 8)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
