// Wrong: Strips of C: the store asks for the column only.
#include "cuda_check.h"
#include "lab.h"

enum { TM = 16, TN = 64, TK = 8, THREADS = 256 };

__global__ void strips(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float a[TK][TM + 1]; // transposed, padded
    __shared__ float b[TK][TN];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * TN + tx;
    const int row0 = blockIdx.y * TM, col = blockIdx.x * TN + tx;
    float sum[TM / 4] = {};
    for (int p0 = 0; p0 < k; p0 += TK) {
        if (t < TM * TK) {
            const int r = t / TK, p = t % TK;
            a[p][r] = row0 + r < m && p0 + p < k ? A[(row0 + r) * k + p0 + p] : 0.0f;
        }
        for (int p = ty; p < TK; p += 4)
            b[p][tx] = col < n && p0 + p < k ? B[(p0 + p) * n + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < TK; p++) {
            const float v = b[p][tx];
            for (int i = 0; i < TM / 4; i++)
                sum[i] += a[p][ty + 4 * i] * v;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM / 4; i++) {
        const int row = row0 + ty + 4 * i;
        if (col < n)
            C[row * n + col] = sum[i];
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    strips<<<dim3((n + TN - 1) / TN, (m + TM - 1) / TM), dim3(TN, 4)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
