#include "check.cuh"
#include <cmath>
__global__ void add(const float *a, const float *b, float *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }
int main() {
    const int n = 10000; size_t bytes = n * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes), *da, *db, *dc;
    for (int i = 0; i < n; i++) a[i] = sinf(i), b[i] = cosf(i);
    CUDA(cudaMalloc(&da, bytes)); CUDA(cudaMalloc(&db, bytes)); CUDA(cudaMalloc((void **)&dc, bytes));
    CUDA(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice)); CUDA(cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(da, db, dc, n); CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) MUST(c[i] == a[i] + b[i]);
    cudaFree(da); cudaFree(db); cudaFree(dc); free(a); free(b); free(c);
}
