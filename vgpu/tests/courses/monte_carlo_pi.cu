#include "check.cuh"
__device__ unsigned next(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
__global__ void pi(unsigned long long *hits, int per) { unsigned s = 1234567u + 7919u * (blockIdx.x * blockDim.x + threadIdx.x); unsigned long long h = 0; for (int i = 0; i < per; i++) { float x = next(s) / 4294967296.0f, y = next(s) / 4294967296.0f; h += x * x + y * y < 1; } atomicAdd(hits, h); }
int main() { unsigned long long *h; CUDA(cudaMallocManaged(&h, 8)); *h = 0; pi<<<8, 128>>>(h, 200); CUDA(cudaDeviceSynchronize()); double v = 4.0 * *h / (8 * 128 * 200); MUST(v > 3.1 && v < 3.18); cudaFree(h); }
