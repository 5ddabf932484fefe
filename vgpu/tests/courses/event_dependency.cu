#include "check.cuh"
__global__ void put(int *x, int v) { *x = v; }
__global__ void twice(const int *x, int *y) { *y = 2 * *x; }
int main() {
    int *x, *y, r; cudaStream_t a, b; cudaEvent_t e; CUDA(cudaMalloc(&x, 4)); CUDA(cudaMalloc(&y, 4)); CUDA(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking)); CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking)); CUDA(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    put<<<1, 1, 0, a>>>(x, 21); CUDA(cudaEventRecord(e, a)); CUDA(cudaStreamWaitEvent(b, e, 0)); twice<<<1, 1, 0, b>>>(x, y); CUDA(cudaMemcpyAsync(&r, y, 4, cudaMemcpyDeviceToHost, b)); CUDA(cudaStreamSynchronize(b)); MUST(r == 42);
    cudaEventDestroy(e); cudaStreamDestroy(a); cudaStreamDestroy(b); cudaFree(x); cudaFree(y);
}
