// Wrong: each thread computes a column of eight elements, so what it reads of A is used once: no
// outer product.
#include "cuda_check.h"
#include "lab.h"
template <const int BM, const int BN, const int BK, const int TM>
__global__ void sgemm1DBlocktiling(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const unsigned threadCol = threadIdx.x % BN, threadRow = threadIdx.x / BN;
    const unsigned innerColA = threadIdx.x % BK, innerRowA = threadIdx.x / BK;
    const unsigned innerColB = threadIdx.x % BN, innerRowB = threadIdx.x / BN;
    const int cRow = blockIdx.y * BM, cCol = blockIdx.x * BN;
    float threadResults[TM] = {0.0};
    for (unsigned bkIdx = 0; bkIdx < (unsigned)K; bkIdx += BK) {
        As[innerRowA * BK + innerColA] =
            cRow + innerRowA < M && bkIdx + innerColA < K ? A[(cRow + innerRowA) * K + bkIdx + innerColA] : 0.f;
        Bs[innerRowB * BN + innerColB] =
            bkIdx + innerRowB < K && cCol + innerColB < N ? B[(bkIdx + innerRowB) * N + cCol + innerColB] : 0.f;
        __syncthreads();
        for (unsigned dotIdx = 0; dotIdx < BK; ++dotIdx) {
            float tmpB = Bs[dotIdx * BN + threadCol];
            for (unsigned resIdx = 0; resIdx < TM; ++resIdx)
                threadResults[resIdx] += As[(threadRow * TM + resIdx) * BK + dotIdx] * tmpB;
        }
        __syncthreads();
    }
    for (unsigned resIdx = 0; resIdx < TM; ++resIdx)
        if (cRow + threadRow * TM + resIdx < M && cCol + threadCol < N)
            C[(cRow + threadRow * TM + resIdx) * N + cCol + threadCol] = threadResults[resIdx];
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    sgemm1DBlocktiling<64, 64, 8, 8><<<dim3((n + 63) / 64, (m + 63) / 64), 512>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
