// Wrong: Waits for its own 32 threads where the whole block is needed.
#include <cooperative_groups.h>
#include "cuda_check.h"
#include "lab.h"
namespace cg = cooperative_groups;

template <unsigned W>
__device__ float fetch(const float *M, unsigned r, unsigned c, unsigned rows, unsigned cols) {
    return (r < rows && c < cols) ? M[r * cols + c] : 0.0f;
}

template <unsigned W>
__global__ void kernel(const unsigned m, const unsigned n, const unsigned k, const float *A, const float *B, float *C) {
    cg::thread_block block = cg::this_thread_block();
    __shared__ float sA[W * W];
    __shared__ float sB[W * W];
    const unsigned rank = block.thread_rank(), ty = rank / W, tx = rank % W;
    const unsigned i = block.group_index().y * W + ty, j = block.group_index().x * W + tx;
    float acc = 0.0f;
    for (unsigned t = 0; t * W < k; ++t) {
        sA[rank] = fetch<W>(A, i, t * W + tx, m, k);
        sB[rank] = fetch<W>(B, t * W + ty, j, k, n);
        cg::tiled_partition<32>(block).sync();
        for (unsigned q = 0; q < W; ++q)
            acc = __fmaf_rn(sA[ty * W + q], sB[q * W + tx], acc);
        cg::sync(block);
    }
    if (i < m && j < n)
        C[i * n + j] = acc;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const unsigned W = 16;
    kernel<W><<<dim3((n + W - 1) / W, (m + W - 1) / W), W * W>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
