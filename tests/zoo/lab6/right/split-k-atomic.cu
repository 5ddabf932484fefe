// large k is divided among blocks, which add to C
#include "cuda_check.h"
#include "lab.h"
constexpr int BM = 64, BN = 64, BK = 16, TM = 8, TN = 4, THREADS = (BM / TM) * (BN / TN);
__global__ void part(int m, int n, int k, int chunk, const float *A, const float *B, float *C) {
    __shared__ float As[BK][BM], Bs[BK][BN];
    const int tx = threadIdx.x % (BN / TN), ty = threadIdx.x / (BN / TN);
    const int lo = blockIdx.z * chunk, hi = min(k, lo + chunk);
    float acc[TM][TN] = {};
    for (int p0 = lo; p0 < hi; p0 += BK) {
        for (int e = threadIdx.x; e < BM * BK; e += THREADS) {
            int r = blockIdx.y * BM + e / BK, p = p0 + e % BK;
            As[e % BK][e / BK] = r < m && p < hi ? A[(size_t)r * k + p] : 0.f;
        }
        for (int e = threadIdx.x; e < BK * BN; e += THREADS) {
            int p = p0 + e / BN, c = blockIdx.x * BN + e % BN;
            Bs[e / BN][e % BN] = p < hi && c < n ? B[(size_t)p * n + c] : 0.f;
        }
        __syncthreads();
        for (int p = 0; p < BK; ++p) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i)
                a[i] = As[p][ty * TM + i];
            for (int j = 0; j < TN; ++j)
                b[j] = Bs[p][tx + j * (BN / TN)];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            int r = blockIdx.y * BM + ty * TM + i, c = blockIdx.x * BN + tx + j * (BN / TN);
            if (r < m && c < n) {
                if (gridDim.z > 1)
                    atomicAdd(&C[(size_t)r * n + c], acc[i][j]);
                else
                    C[(size_t)r * n + c] = acc[i][j];
            }
        }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int slices = k >= 128 ? 2 : 1, chunk = ((k + slices - 1) / slices + BK - 1) / BK * BK;
    if (slices > 1)
        CUDA_CHECK(cudaMemsetAsync(C, 0, sizeof(float) * m * n, 0));
    part<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM, slices), THREADS>>>(m, n, k, chunk, A, B, C);
    CUDA_CHECK_LAUNCH();
}
