// SGEMM in the styles seen in the wild: naive, coalesced, tiled, block tiles in registers, float4, warp tiles by
// templates, double buffering; each against the host.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <vector>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define cudaCheck(err) (cudaCheck_(err, __FILE__, __LINE__))
void cudaCheck_(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess) {
        printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}

template <const uint BLOCKSIZE>
__global__ void sgemm_coalesced(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    const int row = blockIdx.x * BLOCKSIZE + (threadIdx.x / BLOCKSIZE);
    const int col = blockIdx.y * BLOCKSIZE + (threadIdx.x % BLOCKSIZE);
    if (row < M && col < N) {
        float tmp = 0.0;
        for (int i = 0; i < K; ++i)
            tmp += A[row * K + i] * B[i * N + col];
        C[row * N + col] = alpha * tmp + beta * C[row * N + col];
    }
}

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    sgemm_2d(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    const uint cRow = blockIdx.y, cCol = blockIdx.x;
    const uint totalResultsBlocktile = BM * BN;
    const uint numThreadsBlocktile = totalResultsBlocktile / (TM * TN);
    assert(numThreadsBlocktile == blockDim.x);
    const int threadCol = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    A += cRow * BM * K;
    B += cCol * BN;
    C += cRow * BM * N + cCol * BN;
    const uint innerRowA = threadIdx.x / (BK / 4), innerColA = threadIdx.x % (BK / 4);
    const uint innerRowB = threadIdx.x / (BN / 4), innerColB = threadIdx.x % (BN / 4);
    float threadResults[TM * TN] = {0.0};
    float regM[TM] = {0.0}, regN[TN] = {0.0};
    for (uint bkIdx = 0; bkIdx < (uint)K; bkIdx += BK) {
        // A is transposed while it is stored
        float4 tmp = reinterpret_cast<const float4 *>(&A[innerRowA * K + innerColA * 4])[0];
        As[(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
        As[(innerColA * 4 + 1) * BM + innerRowA] = tmp.y;
        As[(innerColA * 4 + 2) * BM + innerRowA] = tmp.z;
        As[(innerColA * 4 + 3) * BM + innerRowA] = tmp.w;
        reinterpret_cast<float4 *>(&Bs[innerRowB * BN + innerColB * 4])[0] =
            reinterpret_cast<const float4 *>(&B[innerRowB * N + innerColB * 4])[0];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (uint dotIdx = 0; dotIdx < BK; ++dotIdx) {
            for (uint i = 0; i < TM; ++i)
                regM[i] = As[dotIdx * BM + threadRow * TM + i];
            for (uint i = 0; i < TN; ++i)
                regN[i] = Bs[dotIdx * BN + threadCol * TN + i];
            for (uint m = 0; m < TM; ++m)
                for (uint n = 0; n < TN; ++n)
                    threadResults[m * TN + n] += regM[m] * regN[n];
        }
        __syncthreads();
    }
    for (uint m = 0; m < TM; m += 1)
        for (uint n = 0; n < TN; n += 4) {
            float4 tmp = reinterpret_cast<float4 *>(&C[(threadRow * TM + m) * N + threadCol * TN + n])[0];
            tmp.x = alpha * threadResults[m * TN + n] + beta * tmp.x;
            tmp.y = alpha * threadResults[m * TN + n + 1] + beta * tmp.y;
            tmp.z = alpha * threadResults[m * TN + n + 2] + beta * tmp.z;
            tmp.w = alpha * threadResults[m * TN + n + 3] + beta * tmp.w;
            reinterpret_cast<float4 *>(&C[(threadRow * TM + m) * N + threadCol * TN + n])[0] = tmp;
        }
}

const int WARPSIZE = 32;

namespace wt {
template <const int BM, const int BN, const int BK, const int rowStrideA, const int rowStrideB>
__device__ void loadFromGmem(int N, int K, const float *A, const float *B, float *As, float *Bs, int innerRowA,
                             int innerColA, int innerRowB, int innerColB) {
    for (uint offset = 0; offset + rowStrideA <= BM; offset += rowStrideA) {
        const float4 tmp = reinterpret_cast<const float4 *>(&A[(innerRowA + offset) * K + innerColA * 4])[0];
        As[(innerColA * 4 + 0) * BM + innerRowA + offset] = tmp.x;
        As[(innerColA * 4 + 1) * BM + innerRowA + offset] = tmp.y;
        As[(innerColA * 4 + 2) * BM + innerRowA + offset] = tmp.z;
        As[(innerColA * 4 + 3) * BM + innerRowA + offset] = tmp.w;
    }
    for (uint offset = 0; offset + rowStrideB <= BK; offset += rowStrideB)
        reinterpret_cast<float4 *>(&Bs[(innerRowB + offset) * BN + innerColB * 4])[0] =
            reinterpret_cast<const float4 *>(&B[(innerRowB + offset) * N + innerColB * 4])[0];
}

template <const int BM, const int BN, const int BK, const int WM, const int WN, const int WMITER, const int WNITER,
          const int WSUBM, const int WSUBN, const int TM, const int TN>
__device__ void processFromSmem(float *regM, float *regN, float *threadResults, const float *As, const float *Bs,
                                const uint warpRow, const uint warpCol, const uint threadRowInWarp,
                                const uint threadColInWarp) {
    for (uint dotIdx = 0; dotIdx < BK; ++dotIdx) {
        for (uint wSubRowIdx = 0; wSubRowIdx < WMITER; ++wSubRowIdx)
            for (uint i = 0; i < TM; ++i)
                regM[wSubRowIdx * TM + i] =
                    As[(dotIdx * BM) + warpRow * WM + wSubRowIdx * WSUBM + threadRowInWarp * TM + i];
        for (uint wSubColIdx = 0; wSubColIdx < WNITER; ++wSubColIdx)
            for (uint i = 0; i < TN; ++i)
                regN[wSubColIdx * TN + i] =
                    Bs[(dotIdx * BN) + warpCol * WN + wSubColIdx * WSUBN + threadColInWarp * TN + i];
        for (uint wSubRowIdx = 0; wSubRowIdx < WMITER; ++wSubRowIdx)
            for (uint wSubColIdx = 0; wSubColIdx < WNITER; ++wSubColIdx)
                for (uint m = 0; m < TM; ++m)
                    for (uint n = 0; n < TN; ++n)
                        threadResults[(wSubRowIdx * TM + m) * (WNITER * TN) + (wSubColIdx * TN) + n] +=
                            regM[wSubRowIdx * TM + m] * regN[wSubColIdx * TN + n];
    }
}
} // namespace wt

template <const int BM, const int BN, const int BK, const int WM, const int WN, const int WNITER, const int TM,
          const int TN, const int NUM_THREADS>
__global__ void __launch_bounds__(NUM_THREADS)
    sgemm_warptiled(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
    const uint cRow = blockIdx.y, cCol = blockIdx.x;
    const uint warpIdx = threadIdx.x / WARPSIZE;
    const uint warpCol = warpIdx % (BN / WN), warpRow = warpIdx / (BN / WN);
    constexpr uint WMITER = (WM * WN) / (WARPSIZE * TM * TN * WNITER);
    constexpr uint WSUBM = WM / WMITER, WSUBN = WN / WNITER;
    const uint threadIdxInWarp = threadIdx.x % WARPSIZE;
    const uint threadColInWarp = threadIdxInWarp % (WSUBN / TN), threadRowInWarp = threadIdxInWarp / (WSUBN / TN);
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    A += cRow * BM * K;
    B += cCol * BN;
    C += (cRow * BM + warpRow * WM) * N + cCol * BN + warpCol * WN;
    const uint innerRowA = threadIdx.x / (BK / 4), innerColA = threadIdx.x % (BK / 4);
    constexpr uint rowStrideA = (NUM_THREADS * 4) / BK;
    const uint innerRowB = threadIdx.x / (BN / 4), innerColB = threadIdx.x % (BN / 4);
    constexpr uint rowStrideB = NUM_THREADS / (BN / 4);
    float threadResults[WMITER * TM * WNITER * TN] = {0.0};
    float regM[WMITER * TM] = {0.0}, regN[WNITER * TN] = {0.0};
    for (uint bkIdx = 0; bkIdx < (uint)K; bkIdx += BK) {
        wt::loadFromGmem<BM, BN, BK, rowStrideA, rowStrideB>(N, K, A, B, As, Bs, innerRowA, innerColA, innerRowB,
                                                             innerColB);
        __syncthreads();
        wt::processFromSmem<BM, BN, BK, WM, WN, WMITER, WNITER, WSUBM, WSUBN, TM, TN>(
            regM, regN, threadResults, As, Bs, warpRow, warpCol, threadRowInWarp, threadColInWarp);
        A += BK;
        B += BK * N;
        __syncthreads();
    }
    for (uint wSubRowIdx = 0; wSubRowIdx < WMITER; ++wSubRowIdx)
        for (uint wSubColIdx = 0; wSubColIdx < WNITER; ++wSubColIdx) {
            float *C_interim = C + (wSubRowIdx * WSUBM) * N + wSubColIdx * WSUBN;
            for (uint m = 0; m < TM; m += 1)
                for (uint n = 0; n < TN; n += 4) {
                    float4 tmp = reinterpret_cast<float4 *>(
                        &C_interim[(threadRowInWarp * TM + m) * N + threadColInWarp * TN + n])[0];
                    const int i = (wSubRowIdx * TM + m) * (WNITER * TN) + wSubColIdx * TN + n;
                    tmp.x = alpha * threadResults[i + 0] + beta * tmp.x;
                    tmp.y = alpha * threadResults[i + 1] + beta * tmp.y;
                    tmp.z = alpha * threadResults[i + 2] + beta * tmp.z;
                    tmp.w = alpha * threadResults[i + 3] + beta * tmp.w;
                    reinterpret_cast<float4 *>(&C_interim[(threadRowInWarp * TM + m) * N + threadColInWarp * TN + n])[0] =
                        tmp;
                }
        }
}

// Three stages of copies in flight.
template <int BM, int BN, int BK, int STAGES>
__global__ void sgemm_pipelined(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    extern __shared__ float4 memory[];
    float *As = reinterpret_cast<float *>(memory), *Bs = As + STAGES * BM * BK;
    const int row = blockIdx.y * BM, col = blockIdx.x * BN, t = threadIdx.x;
    auto fetch = [&](int stage, int k) {
        for (int i = t; i < BM * BK / 4; i += blockDim.x)
            __pipeline_memcpy_async(&As[stage * BM * BK + 4 * i], &A[(row + 4 * i / BK) * K + k + 4 * i % BK], 16);
        for (int i = t; i < BK * BN / 4; i += blockDim.x)
            __pipeline_memcpy_async(&Bs[stage * BK * BN + 4 * i], &B[(k + 4 * i / BN) * N + col + 4 * i % BN], 16);
    };
    for (int s = 0; s < STAGES - 1; ++s) {
        if (s * BK < K)
            fetch(s, s * BK);
        __pipeline_commit();
    }
    float sum[BM * BN / 64] = {};
    for (int k = 0; k < K; k += BK) {
        const int stage = k / BK % STAGES, ahead = k + (STAGES - 1) * BK;
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        if (ahead < K)
            fetch(ahead / BK % STAGES, ahead);
        __pipeline_commit();
        for (int i = 0; i < BM * BN / 64; ++i) {
            const int r = (t + 64 * i) / BN, c = (t + 64 * i) % BN;
            for (int q = 0; q < BK; ++q)
                sum[i] += As[stage * BM * BK + r * BK + q] * Bs[stage * BK * BN + q * BN + c];
        }
    }
    for (int i = 0; i < BM * BN / 64; ++i) {
        const int r = (t + 64 * i) / BN, c = (t + 64 * i) % BN;
        C[(row + r) * N + col + c] = alpha * sum[i] + beta * C[(row + r) * N + col + c];
    }
}

int main() {
    const int M = 128, N = 128, K = 64;
    const float alpha = 0.5f, beta = 3.0f;
    std::vector<float> A(M * K), B(K * N), C(M * N), R(M * N);
    srand(1);
    for (auto &x : A)
        x = (float)(rand() % 5 + 0.01 * (rand() % 5)) * (rand() % 2 ? 1 : -1);
    for (auto &x : B)
        x = (float)(rand() % 5 + 0.01 * (rand() % 5)) * (rand() % 2 ? 1 : -1);
    for (auto &x : C)
        x = (float)(rand() % 7);
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            double s = 0;
            for (int k = 0; k < K; ++k)
                s += (double)A[i * K + k] * B[k * N + j];
            R[i * N + j] = (float)(alpha * s + beta * C[i * N + j]);
        }
    float *dA, *dB, *dC;
    cudaCheck(cudaMalloc((void **)&dA, sizeof(float) * M * K));
    cudaCheck(cudaMalloc((void **)&dB, sizeof(float) * K * N));
    cudaCheck(cudaMalloc((void **)&dC, sizeof(float) * M * N));
    cudaCheck(cudaMemcpy(dA, A.data(), sizeof(float) * M * K, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(dB, B.data(), sizeof(float) * K * N, cudaMemcpyHostToDevice));
    for (int kernel = 0; kernel < 4; ++kernel) {
        std::vector<float> out(M * N);
        cudaCheck(cudaMemcpy(dC, C.data(), sizeof(float) * M * N, cudaMemcpyHostToDevice));
        switch (kernel) {
        case 0:
            sgemm_coalesced<32><<<dim3(CEIL_DIV(M, 32), CEIL_DIV(N, 32)), dim3(32 * 32)>>>(M, N, K, alpha, dA, dB, beta, dC);
            break;
        case 1:
            sgemm_2d<64, 64, 8, 8, 4><<<dim3(CEIL_DIV(N, 64), CEIL_DIV(M, 64)), 128>>>(M, N, K, alpha, dA, dB, beta, dC);
            break;
        case 2:
            sgemm_warptiled<128, 128, 16, 64, 64, 4, 8, 4, 128>
                <<<dim3(CEIL_DIV(N, 128), CEIL_DIV(M, 128)), 128>>>(M, N, K, alpha, dA, dB, beta, dC);
            break;
        default: {
            auto k = sgemm_pipelined<32, 32, 16, 3>;
            const int bytes = 3 * (32 * 16 + 16 * 32) * (int)sizeof(float);
            cudaCheck(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
            k<<<dim3(N / 32, M / 32), 64, bytes>>>(M, N, K, alpha, dA, dB, beta, dC);
        }
        }
        cudaCheck(cudaGetLastError());
        cudaCheck(cudaDeviceSynchronize());
        cudaCheck(cudaMemcpy(out.data(), dC, sizeof(float) * M * N, cudaMemcpyDeviceToHost));
        int wrong = 0;
        for (int i = 0; i < M * N; ++i)
            wrong += !(std::fabs(out[i] - R[i]) <= 1e-3f * (1 + std::fabs(R[i])));
        printf("kernel %d: %d wrong\n", kernel, wrong);
    }
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
}
