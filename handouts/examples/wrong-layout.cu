// wrong-layout.cu: one-mma.cu, but B, stored by rows, is read as if it was stored by columns.

#include "cuda_check.h"

#include <mma.h>

using namespace nvcuda;
typedef wmma::col_major LayoutOfB;

__global__ void one_tile(const float *A, const float *B, float *C) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, LayoutOfB> b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
    wmma::fill_fragment(c, 0.0f);
    wmma::load_matrix_sync(a, A, 8);
    wmma::load_matrix_sync(b, B, 8);
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}

int main() {
    float host[128], *A, *B, *C;
    for (int i = 0; i < 128; ++i)
        host[i] = (float)i; // whole numbers this small are TF32 numbers
    CUDA_CHECK(cudaMalloc((void **)&A, sizeof host));
    CUDA_CHECK(cudaMalloc((void **)&B, sizeof host));
    CUDA_CHECK(cudaMalloc((void **)&C, 256 * sizeof *C));
    CUDA_CHECK(cudaMemcpy(A, host, sizeof host, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(B, host, sizeof host, cudaMemcpyHostToDevice));
    one_tile<<<1, 32>>>(A, B, C);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(C));
    CUDA_CHECK(cudaFree(B));
    CUDA_CHECK(cudaFree(A));
    return 0;
}
