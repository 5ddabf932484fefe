// Compiled for an older architecture: what CUDA's own headers do there in another way is not refused,
// and __CUDA_ARCH__ chooses the code that it has. (arch_refused.cu has what is refused.)
// flags: -arch=sm_75
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

namespace cg = cooperative_groups;

__global__ void fine(int *out, const int *in) {
    __shared__ int part[32];
    __pipeline_memcpy_async(&part[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int sum = cg::reduce(warp, part[threadIdx.x], cg::plus<int>());
#ifdef __CUDA_ARCH__
    sum += __CUDA_ARCH__;
#endif
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;");
#endif
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> a;
    nvcuda::wmma::fill_fragment(a, 1.0f);
    unsigned int r;
    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
        : "=r"(r)
        : "r"((unsigned int)__cvta_generic_to_shared(&part[4 * (threadIdx.x % 8)])));
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = (int)r;
    }
}

int main() {
    int *out, *in, h[2];
    cudaMalloc(&out, 128);
    cudaMalloc(&in, 128);
    cudaMemset(in, 0, 128);
    fine<<<1, 32>>>(out, in);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]);
    cudaFree(out);
    cudaFree(in);
}
