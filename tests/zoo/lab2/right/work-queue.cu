// Warps take pieces of a row of C from an atomic counter in a __device__ variable, until none is left; a
// kernel of one thread sets it to zero before each product.
#include "cuda_check.h"
#include "lab.h"

__device__ unsigned long long next_piece;

__global__ void reset() { next_piece = 0; }

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C)
{
    const int lane = threadIdx.x & 31;
    const unsigned long long across = (n + 31) / 32;
    for (;;) {
        unsigned long long piece = 0;
        if (lane == 0)
            piece = atomicAdd(&next_piece, 1ULL);
        piece = __shfl_sync(0xffffffffu, piece, 0);
        if (piece >= across * m)
            break;
        const size_t row = piece / across, col = piece % across * 32 + lane;
        if (col < n) {
            float s = 0.0f;
            for (size_t p = 0; p < k; ++p)
                s += A[row * k + p] * B[p * n + col];
            C[row * n + col] = s;
        }
        __syncwarp();
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    int dev, sms, per_sm;
    CUDA_CHECK(cudaGetDevice(&dev));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, multiply, 128, 0));
    reset<<<1, 1>>>();
    CUDA_CHECK_LAUNCH();
    multiply<<<sms * per_sm, 128>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C)
{
    float *d[3];
    const size_t len[3] = {(size_t)m * k, (size_t)k * n, (size_t)m * n};
    for (int i = 0; i < 3; ++i)
        CUDA_CHECK(cudaMalloc(&d[i], len[i] * sizeof **d));
    CUDA_CHECK(cudaMemcpy(d[0], A, len[0] * sizeof *A, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d[1], B, len[1] * sizeof *B, cudaMemcpyHostToDevice));
    matmul_device(m, n, k, d[0], d[1], d[2]);
    CUDA_CHECK(cudaMemcpy(C, d[2], len[2] * sizeof *C, cudaMemcpyDeviceToHost));
    for (float *p : d)
        CUDA_CHECK(cudaFree(p));
}
