// A pipeline that waits well in its first round, and for too few copies in the second: the mistake
// is not where the cell is read first.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void late(const float *from, float *to) {
    __shared__ float cell[32];
    float sum = 0.0f;
    for (int round = 0; round < 2; round++) {
        __pipeline_memcpy_async(&cell[threadIdx.x], &from[threadIdx.x], sizeof(float));
        __pipeline_commit();
        if (round == 0)
            __pipeline_wait_prior(0);
        sum += cell[threadIdx.x];
        __syncwarp();
    }
    __pipeline_wait_prior(0);
    if (threadIdx.x == 3)
        sum += 1.0f;
    to[threadIdx.x] = sum;
}

int main() {
    float *from, *to;
    cudaMalloc(&from, 32 * sizeof(float));
    cudaMalloc(&to, 32 * sizeof(float));
    cudaMemset(from, 0, 32 * sizeof(float));
    late<<<1, 32>>>(from, to);
    cudaDeviceSynchronize();
    cudaFree(to);
    cudaFree(from);
}
