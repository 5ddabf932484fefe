// 64 threads in a block of 8 x 8, each two rows and two columns 8 apart.
#include "cuda_check.h"
#include "lab.h"
#define AT(M, i, j, ld) M[(size_t)(i) * (ld) + (j)]
__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C) {
    int i0 = blockIdx.y * 16 + threadIdx.y, j0 = blockIdx.x * 64 + threadIdx.x, i1 = i0 + 8, j1 = j0 + 32;
    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int p = 0; p < k; p++) {
        float a0 = i0 < m ? AT(A, i0, p, k) : 0, a1 = i1 < m ? AT(A, i1, p, k) : 0;
        float b0 = j0 < n ? AT(B, p, j0, n) : 0, b1 = j1 < n ? AT(B, p, j1, n) : 0;
        s00 += a0 * b0; s01 += a0 * b1; s10 += a1 * b0; s11 += a1 * b1;
    }
    if (i0 < m && j0 < n) AT(C, i0, j0, n) = s00;
    if (i0 < m && j1 < n) AT(C, i0, j1, n) = s01;
    if (i1 < m && j0 < n) AT(C, i1, j0, n) = s10;
    if (i1 < m && j1 < n) AT(C, i1, j1, n) = s11;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    mm<<<dim3((n + 63) / 64, (m + 15) / 16), dim3(32, 8)>>>(m, n, k, A, B, C);
    CUDA_CHECK(cudaGetLastError());
}
void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *d[3];
    size_t s[3] = {sizeof(float) * m * k, sizeof(float) * k * n, sizeof(float) * m * n};
    for (int i = 0; i < 3; i++) CUDA_CHECK(cudaMalloc((void **)&d[i], s[i]));
    CUDA_CHECK(cudaMemcpy(d[0], A, s[0], cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d[1], B, s[1], cudaMemcpyHostToDevice));
    matmul_device(m, n, k, d[0], d[1], d[2]);
    CUDA_CHECK(cudaMemcpy(C, d[2], s[2], cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; i++) CUDA_CHECK(cudaFree(d[i]));
}
