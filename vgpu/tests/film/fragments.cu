// A fragment's elements are variables; how the virtual GPU keeps them is not the program's.
#include <cuda_runtime.h>
#include <mma.h>
using namespace nvcuda;

__global__ void move(const float *from, float *to) {
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
    wmma::load_matrix_sync(c, from, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(to, c, 16, wmma::mem_col_major);
}

int main() {
    float *from, *to;
    cudaMalloc(&from, 256 * sizeof(float));
    cudaMalloc(&to, 256 * sizeof(float));
    cudaMemset(from, 0, 256 * sizeof(float));
    move<<<1, 32>>>(from, to);
    cudaDeviceSynchronize();
    cudaFree(to);
    cudaFree(from);
}
