// Wrong: One allocation for all three matrices; C begins where B begins plus the size of A.
#include "lab.h"
#include <stdexcept>

static void ok(cudaError_t e) {
    if (e) throw std::runtime_error(cudaGetErrorString(e));
}

__global__ void mm(int M, int N, int K, const float *A, const float *B, float *C) {
    int c = threadIdx.x + blockIdx.x * blockDim.x, r = threadIdx.y + blockIdx.y * blockDim.y;
    if (r >= M) return;
    if (c >= N) return;
    float v = 0;
    for (int i = 0; i < K; i++) v += A[r*K+i] * B[i*N+c];
    C[r*N+c] = v;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3((n+31)/32, (m+31)/32), dim3(32,32)>>>(m, n, k, A, B, C);
    ok(cudaPeekAtLastError());
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *d;                                   // one allocation for all three
    size_t na = (size_t)m*k, nb = (size_t)k*n, nc = (size_t)m*n;
    ok(cudaMalloc(&d, (na+nb+nc) * sizeof *d));
    ok(cudaMemcpy(d, A, na * sizeof *d, cudaMemcpyDefault));
    ok(cudaMemcpy(d+na, B, nb * sizeof *d, cudaMemcpyDefault));
    matmul_device(m, n, k, d, d+na, d+na+na);
    ok(cudaMemcpy(C, d+na+na, nc * sizeof *d, cudaMemcpyDefault));
    ok(cudaFree(d));
}
