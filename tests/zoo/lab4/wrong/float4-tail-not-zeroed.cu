// Wrong: The remainder of a float4 keeps what was in the register.
#include "cuda_check.h"
#include "lab.h"

#define TM 32
#define TN 32
#define TK 32

__device__ float4 four(const float *p, int left, bool aligned) {
    if (left >= 4 && aligned)
        return *reinterpret_cast<const float4 *>(p);
    float4 v;
    if (left > 0) v.x = p[0];
    if (left > 1) v.y = p[1];
    if (left > 2) v.z = p[2];
    if (left > 3) v.w = p[3];
    return v;
}

__global__ void kernel(int m, int n, int k, const float *A, const float *B, float *C, bool wideA, bool wideB) {
    __shared__ float4 a[TM][TK / 4 + 1]; // the rows of a warp start in different banks
    __shared__ float4 b[TK][TN / 4];
    const int t = threadIdx.x, r = t / 8, c = t % 8; // 256 threads, each a float4 of both tiles
    const int row = blockIdx.y * TM + r, col = blockIdx.x * TN + 4 * c;
    float4 sum = {0, 0, 0, 0};
    for (int p0 = 0; p0 < k; p0 += TK) {
        const int pa = p0 + 4 * c, pb = p0 + r;
        a[r][c] = four(A + (size_t)row * k + pa, row < m ? k - pa : 0, wideA);
        b[r][c] = four(B + (size_t)pb * n + col, pb < k ? n - col : 0, wideB);
        __syncthreads();
        for (int q = 0; q < TK; q++) {
            const float x = reinterpret_cast<const float *>(a[r])[q];
            const float4 y = b[q][c];
            sum.x += x * y.x;
            sum.y += x * y.y;
            sum.z += x * y.z;
            sum.w += x * y.w;
        }
        __syncthreads();
    }
    if (row < m) {
        const float out[4] = {sum.x, sum.y, sum.z, sum.w};
        for (int j = 0; j < 4; j++)
            if (col + j < n)
                C[(size_t)row * n + col + j] = out[j];
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    kernel<<<dim3((n + TN - 1) / TN, (m + TM - 1) / TM), 256>>>(m, n, k, A, B, C, k % 4 == 0, n % 4 == 0);
    CUDA_CHECK(cudaGetLastError());
}
