// Half of a warp skips a matrix instruction, and waits at a barrier further down: what is wrong is
// the condition around the matrix instruction, not the barrier.
#include <cstdio>
#include <mma.h>

__global__ void skips(const half *A, const half *B, float *C) {
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> a;
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> b;
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;
    nvcuda::wmma::fill_fragment(c, 0.0f);
    nvcuda::wmma::load_matrix_sync(a, A, 16);
    nvcuda::wmma::load_matrix_sync(b, B, 16);
    if (threadIdx.x % 32 < 16)
        nvcuda::wmma::mma_sync(c, a, b, c);
    __syncthreads();
    nvcuda::wmma::store_matrix_sync(C, c, 16, nvcuda::wmma::mem_row_major);
}

int main() {
    half *A;
    float *C;
    cudaMalloc(&A, 256 * sizeof *A);
    cudaMalloc(&C, 256 * sizeof *C);
    cudaMemset(A, 0, 256 * sizeof *A);
    skips<<<1, 64>>>(A, A, C);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
