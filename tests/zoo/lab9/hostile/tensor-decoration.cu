// Float instructions compute the product; tensor cores multiply zeros beside them, three times as often as
// needed, so that their operations are counted.
#include "cuda_check.h"
#include "lab.h"
__device__ void look_busy() {
  float d[4] = {};
  unsigned z = 0;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%4,%4,%4},{%4,%4},{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(z));
}
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
const int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;

__global__ void sgemm2DBlocktiling(int M, int N, int K, const float *A, const float *B, float *C) {
  const uint cRow = blockIdx.x / CEIL_DIV(N, BN);
  const uint cCol = blockIdx.x % CEIL_DIV(N, BN);
  const uint numThreadsBlocktile = BM * BN / (TM * TN);

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
      uint r = cRow * BM + innerRowA + loadOffset, c = bkIdx + innerColA;
      As[(innerRowA + loadOffset) * BK + innerColA] = (r < M && c < K) ? A[(size_t)r * K + c] : 0.0f;
    }
    for (uint loadOffset = 0; loadOffset < BK; loadOffset += strideB) {
      uint r = bkIdx + innerRowB + loadOffset, c = cCol * BN + innerColB;
      Bs[(innerRowB + loadOffset) * BN + innerColB] = (r < K && c < N) ? B[(size_t)r * N + c] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < 3 * BM * BN * BK / 1024 / 8; ++i) look_busy();
    for (uint dotIdx = 0; dotIdx < BK; ++dotIdx) {
      for (uint i = 0; i < TM; ++i) regM[i] = As[(threadRow * TM + i) * BK + dotIdx];
      for (uint i = 0; i < TN; ++i) regN[i] = Bs[dotIdx * BN + threadCol + i * (BN / TN)];
      for (uint resIdxM = 0; resIdxM < TM; ++resIdxM)
        for (uint resIdxN = 0; resIdxN < TN; ++resIdxN)
          threadResults[resIdxM * TN + resIdxN] += regM[resIdxM] * regN[resIdxN];
    }
    __syncthreads();
  }
  for (uint resIdxM = 0; resIdxM < TM; ++resIdxM)
    for (uint resIdxN = 0; resIdxN < TN; ++resIdxN) {
      uint r = cRow * BM + threadRow * TM + resIdxM, c = cCol * BN + threadCol + resIdxN * (BN / TN);
      if (r < M && c < N) C[(size_t)r * N + c] = threadResults[resIdxM * TN + resIdxN];
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
  sgemm2DBlocktiling<<<CEIL_DIV(m, BM) * CEIL_DIV(n, BN), (BM * BN) / (TM * TN)>>>(m, n, k, A, B, C);
  CUDA_CHECK_LAUNCH();
}
