// Wrong: The sum starts with the first term, and the loop starts there too.
#include "lab.h"
#include <stdio.h>

typedef struct { float *a, *b, *c; } buffers;

static cudaError_t make(buffers *d, size_t a, size_t b, size_t c) {
    cudaError_t e;
    d->a = d->b = d->c = 0;
    if ((e = cudaMalloc((void **)&d->a, a))) return e;
    if ((e = cudaMalloc((void **)&d->b, b))) return e;
    return cudaMalloc((void **)&d->c, c);
}
static cudaError_t unmake(buffers *d) {
    cudaError_t e1 = cudaFree(d->a), e2 = cudaFree(d->b), e3 = cudaFree(d->c);
    return e1 ? e1 : e2 ? e2 : e3;
}
__global__ void go(int m, int n, int k, const float *A, const float *B, float *C) {
    const int id = blockDim.x * blockIdx.x + threadIdx.x;
    if (id >= m * n) return;
    const int i = id / n, j = id - i * n;
    float s = A[i * k] * B[j];
    for (int p = 0; p != k; p++) s += A[i * k + p] * B[p * n + j];
    C[id] = s;
}
static cudaError_t run(int m, int n, int k, const float *A, const float *B, float *C) {
    go<<<(m * n - 1) / 192 + 1, 192>>>(m, n, k, A, B, C);
    return cudaGetLastError();
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    cudaError_t e = run(m, n, k, A, B, C);
    if (e) printf("launch: %s\n", cudaGetErrorName(e));
}
void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    const size_t a = (size_t)m * k * 4, b = (size_t)k * n * 4, c = (size_t)m * n * 4;
    buffers d;
    cudaError_t e = make(&d, a, b, c);
    if (!e) e = cudaMemcpy(d.a, A, a, cudaMemcpyHostToDevice);
    if (!e) e = cudaMemcpy(d.b, B, b, cudaMemcpyHostToDevice);
    if (!e) e = run(m, n, k, d.a, d.b, d.c);
    if (!e) e = cudaDeviceSynchronize();
    if (!e) e = cudaMemcpy(C, d.c, c, cudaMemcpyDeviceToHost);
    cudaError_t f = unmake(&d);
    if (!e) e = f;
    if (e) printf("matmul_host: %s\n", cudaGetErrorName(e));
}
