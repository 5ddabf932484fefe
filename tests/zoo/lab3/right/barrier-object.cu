// Tiles of 16 by one barrier object: cuda::barrier, twice in each phase, in place of
// __syncthreads(). Right, and no reason to run out of time.
#include "cuda_check.h"
#include "lab.h"
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int TS = 16;
__global__ void mm(const float *A, const float *B, float *C, int n) {
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar;
    __shared__ float As[TS * TS], Bs[TS * TS];
    const int t = threadIdx.x, y = t / TS, x = t % TS;
    if (t == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    float acc = 0;
    for (int p = 0; p < n; p += TS) {
        As[t] = A[(blockIdx.y * TS + y) * n + p + x];
        Bs[t] = B[(p + y) * n + blockIdx.x * TS + x];
        bar.arrive_and_wait();
        for (int q = 0; q < TS; q++)
            acc += As[y * TS + q] * Bs[q * TS + x];
        bar.arrive_and_wait();
    }
    C[(blockIdx.y * TS + y) * n + blockIdx.x * TS + x] = acc;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m;
    (void)k;
    dim3 g(n / TS, n / TS);
    mm<<<g, TS * TS>>>(A, B, C, n);
    CUDA_CHECK_LAUNCH();
}
