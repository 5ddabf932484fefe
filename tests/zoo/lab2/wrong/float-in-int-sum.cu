// Wrong: The dot product is returned as an int: wrong for reals only.
#include "lab.h"
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

static void error(const char *what, cudaError_t e) {
    std::cout << what << " failed: " << cudaGetErrorString(e) << "\n";
    std::abort();
}
static void read(float *to, const float *from, size_t n) {
    cudaError_t e = cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);
    if (e) error("read", e);
}
static void write(float *to, const float *from, size_t n) {
    cudaError_t e = cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyDeviceToHost);
    if (e) error("write", e);
}
static float *alloc(size_t n) {
    float *p;
    cudaError_t e = cudaMalloc(&p, n * sizeof(float));
    if (e) error("alloc", e);
    return p;
}
__device__ int dot(const float *x, int dx, const float *y, int dy, int index) {
    float s = 0;
    while (index-- > 0) {
        s += *x * *y;
        x += dx;
        y += dy;
    }
    return s;
}
__global__ void exp(int m, int n, int k, const float *A, const float *B, float *C) {
    int time = blockIdx.y * blockDim.y + threadIdx.y, clock = blockIdx.x * blockDim.x + threadIdx.x;
    if (time < m && clock < n) C[time * n + clock] = dot(A + time * k, 1, B + clock, n, k);
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    exp<<<dim3(n / 32 + 1, m / 8 + 1), dim3(32, 8)>>>(m, n, k, A, B, C);
    if (cudaError_t e = cudaGetLastError()) error("launch", e);
}
void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    std::vector<float *> all;
    for (size_t s : {(size_t)m * k, (size_t)k * n, (size_t)m * n}) all.push_back(alloc(s));
    read(all[0], A, (size_t)m * k);
    read(all[1], B, (size_t)k * n);
    matmul_device(m, n, k, all[0], all[1], all[2]);
    write(C, all[2], (size_t)m * n);
    for (float *p : all)
        if (cudaError_t e = cudaFree(p)) error("free", e);
}
