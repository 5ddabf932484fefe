// Tensor cores with the functions of mma.h, and what a thread does with its fragment.
#include <cstdio>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void cores(float *c, const half *a, const half *b, int k) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    int steps = 0;
    for (int p = 0; p < k; p += 16) {
        wmma::load_matrix_sync(fa, a + p, k);
        wmma::load_matrix_sync(fb, b + p * 16, 16);
        wmma::mma_sync(fc, fa, fb, fc);
        steps = steps + 1;
    }
    float sum = 0;
    for (int i = 0; i < fc.num_elements; i++) {
        float one = fc.x[i];
        sum += one;
        fc.x[i] = one * steps;
    }
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    c[256 + threadIdx.x] = sum;
}
int main() {
    half h[16 * 48], *d[2];
    float *c;
    for (int i = 0; i < 16 * 48; i++) h[i] = __float2half(i % 9 - 4);
    for (int i = 0; i < 2; i++) { cudaMalloc(&d[i], sizeof h); cudaMemcpy(d[i], h, sizeof h, cudaMemcpyHostToDevice); }
    cudaMalloc(&c, 1200);
    cores<<<1, 32>>>(c, d[0], d[1], 48);
    cudaDeviceSynchronize();
}
