// A copy that nobody waits for before its cell is read, in a template.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

template <typename V, int N> __global__ void shift(const V *from, V *to) {
    __shared__ __align__(16) V part[N];
    if (threadIdx.x < N / 4)
        __pipeline_memcpy_async(&part[threadIdx.x * 4], &from[threadIdx.x * 4], 16);
    __pipeline_commit();
    __syncthreads(); // the copies may not have come
    to[threadIdx.x] = part[(threadIdx.x + 1) % N];
}

int main() {
    float *from, *to;
    cudaMalloc(&from, 64 * sizeof(float));
    cudaMalloc(&to, 64 * sizeof(float));
    cudaMemset(from, 0, 64 * sizeof(float));
    shift<float, 64><<<1, 64>>>(from, to);
    cudaDeviceSynchronize();
    cudaFree(to);
    cudaFree(from);
}
