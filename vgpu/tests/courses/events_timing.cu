#include "check.cuh"
__global__ void spin(int *x) { for (int i = 0; i < 100; i++) x[threadIdx.x] += i; }
int main() {
    int *x; CUDA(cudaMalloc(&x, 128)); CUDA(cudaMemset(x, 0, 128)); cudaEvent_t a, b; CUDA(cudaEventCreate(&a)); CUDA(cudaEventCreate(&b));
    CUDA(cudaEventRecord(a)); spin<<<1, 32>>>(x); CUDA(cudaEventRecord(b)); CUDA(cudaEventSynchronize(b)); float ms = -1; CUDA(cudaEventElapsedTime(&ms, a, b)); MUST(ms >= 0); MUST(cudaEventQuery(b) == cudaSuccess);
    int h[32]; CUDA(cudaMemcpy(h, x, 128, cudaMemcpyDeviceToHost)); MUST(h[31] == 4950); cudaEventDestroy(a); cudaEventDestroy(b); cudaFree(x);
}
