// A launch's shared memory, declared as floats, and read four at a time.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__device__ float sum_of(const float *from) {
    float4 quad = *(const float4 *)from;
    return quad.x + quad.y + quad.z + quad.w;
}

__global__ void halves(const float *from, float *to) {
    extern __shared__ __align__(16) float pool[];
    if (threadIdx.x < 16)
        __pipeline_memcpy_async(&pool[4 * threadIdx.x], &from[4 * threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (threadIdx.x < 16)
        to[threadIdx.x] = 0.5f * sum_of(pool + 4 * threadIdx.x);
}

int main() {
    float *from, *to;
    cudaMalloc(&from, 64 * sizeof(float));
    cudaMalloc(&to, 16 * sizeof(float));
    cudaMemset(from, 0, 64 * sizeof(float));
    halves<<<1, 32, 64 * sizeof(float)>>>(from, to);
    cudaDeviceSynchronize();
    cudaFree(to);
    cudaFree(from);
}
