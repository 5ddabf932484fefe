#include "check.cuh"
#define T 16
__global__ void mm(const double *A, const double *B, double *C, int n) { __shared__ double a[T][T], b[T][T]; int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x; double s = 0; for (int t = 0; t < (n + T - 1) / T; t++) { a[threadIdx.y][threadIdx.x] = r < n && t * T + threadIdx.x < n ? A[r * n + t * T + threadIdx.x] : 0; b[threadIdx.y][threadIdx.x] = c < n && t * T + threadIdx.y < n ? B[(t * T + threadIdx.y) * n + c] : 0; __syncthreads();
#pragma unroll
    for (int k = 0; k < T; ++k) s += a[threadIdx.y][k] * b[k][threadIdx.x]; __syncthreads(); } if (r < n && c < n) C[r * n + c] = s; }
int main() { const int n = 50; double *a, *b, *c; CUDA(cudaMallocManaged(&a, n * n * 8)); CUDA(cudaMallocManaged(&b, n * n * 8)); CUDA(cudaMallocManaged(&c, n * n * 8)); for (int i = 0; i < n * n; i++) a[i] = i % 7, b[i] = i % 5; mm<<<dim3(4, 4), dim3(T, T)>>>(a, b, c, n); CUDA(cudaDeviceSynchronize()); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { double s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j]; MUST(s == c[i * n + j]); } cudaFree(a); cudaFree(b); cudaFree(c); }
