// Wrong: 64 threads fill a tile of 16 x 16 with one element each... and a quarter of it.
#include "cuda_check.h"
#include "lab.h"
#define R 16
#define P 16
__global__ void kernel(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float at[P][R + 1];
    const int col = blockIdx.x * 64 + threadIdx.x, row0 = blockIdx.y * R;
    float sum[R];
    for (int i = 0; i < R; i++)
        sum[i] = 0;
    for (int p0 = 0; p0 < k; p0 += P) {
        for (int e = threadIdx.x; e < R * P; e += 256) {
            int i = e / P, p = e % P;
            at[p][i] = (row0 + i < m && p0 + p < k) ? A[(row0 + i) * k + p0 + p] : 0;
        }
        __syncthreads();
        int top = k - p0 < P ? k - p0 : P;
        for (int p = 0; p < top; p++) {
            float b = col < n ? B[(p0 + p) * n + col] : 0;
            for (int i = 0; i < R; i++)
                sum[i] += at[p][i] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < R; i++)
        if (row0 + i < m && col < n)
            C[(row0 + i) * n + col] = sum[i];
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    kernel<<<dim3((n + 63) / 64, (m + R - 1) / R), 64>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
