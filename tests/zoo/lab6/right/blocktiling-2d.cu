// Names and loops of a well-known series of blog posts: 2D block tiling, 64 threads or 256, with
// guards.
#include "cuda_check.h"
#include "lab.h"
#include <cassert>
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    sgemm2DBlocktiling(int M, int N, int K, float alpha, const float *A, const float *B, float beta,
                       float *C) {
    const uint cRow = blockIdx.y;
    const uint cCol = blockIdx.x;
    const uint totalResultsBlocktile = BM * BN;
    const uint numThreadsBlocktile = totalResultsBlocktile / (TM * TN);
    const int threadCol = threadIdx.x % (BN / TN);
    const int threadRow = threadIdx.x / (BN / TN);
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const uint innerRowA = threadIdx.x / BK;
    const uint innerColA = threadIdx.x % BK;
    const uint strideA = numThreadsBlocktile / BK;
    const uint innerRowB = threadIdx.x / BN;
    const uint innerColB = threadIdx.x % BN;
    const uint strideB = numThreadsBlocktile / BN;
    float threadResults[TM * TN] = {0.0};
    float regM[TM] = {0.0};
    float regN[TN] = {0.0};
    for (uint bkIdx = 0; bkIdx < K; bkIdx += BK) {
        for (uint loadOffset = 0; loadOffset < BM; loadOffset += strideA) {
            const uint r = cRow * BM + innerRowA + loadOffset, c = bkIdx + innerColA;
            As[(innerRowA + loadOffset) * BK + innerColA] = r < M && c < K ? A[r * K + c] : 0.0f;
        }
        for (uint loadOffset = 0; loadOffset < BK; loadOffset += strideB) {
            const uint r = bkIdx + innerRowB + loadOffset, c = cCol * BN + innerColB;
            Bs[(innerRowB + loadOffset) * BN + innerColB] = r < K && c < N ? B[r * N + c] : 0.0f;
        }
        __syncthreads();
        for (uint dotIdx = 0; dotIdx < BK; ++dotIdx) {
            for (uint i = 0; i < TM; ++i)
                regM[i] = As[(threadRow * TM + i) * BK + dotIdx];
            for (uint i = 0; i < TN; ++i)
                regN[i] = Bs[dotIdx * BN + threadCol * TN + i];
            for (uint resIdxM = 0; resIdxM < TM; ++resIdxM)
                for (uint resIdxN = 0; resIdxN < TN; ++resIdxN)
                    threadResults[resIdxM * TN + resIdxN] += regM[resIdxM] * regN[resIdxN];
        }
        __syncthreads();
    }
    for (uint resIdxM = 0; resIdxM < TM; ++resIdxM)
        for (uint resIdxN = 0; resIdxN < TN; ++resIdxN) {
            const uint r = cRow * BM + threadRow * TM + resIdxM,
                       c = cCol * BN + threadCol * TN + resIdxN;
            if (r < M && c < N)
                C[r * N + c] = alpha * threadResults[resIdxM * TN + resIdxN];
        }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const uint BK = 8, TM = 8, TN = 8;
    if (m >= 128 && n >= 128) {
        const uint BM = 128, BN = 128;
        dim3 gridDim(CEIL_DIV(n, BN), CEIL_DIV(m, BM));
        dim3 blockDim((BM * BN) / (TM * TN));
        sgemm2DBlocktiling<BM, BN, BK, TM, TN><<<gridDim, blockDim>>>(m, n, k, 1.0f, A, B, 0.0f, C);
    } else {
        const uint BM = 64, BN = 64;
        dim3 gridDim(CEIL_DIV(n, BN), CEIL_DIV(m, BM));
        dim3 blockDim((BM * BN) / (TM * TN));
        sgemm2DBlocktiling<BM, BN, BK, TM, TN><<<gridDim, blockDim>>>(m, n, k, 1.0f, A, B, 0.0f, C);
    }
    CUDA_CHECK_LAUNCH();
}
