// reverse.cu: turns 64 numbers around by way of shared memory, without a barrier.

#include "cuda_check.h"

__global__ void reverse(float *numbers) {
    __shared__ float line[64];
    line[threadIdx.x] = numbers[threadIdx.x];
    // a __syncthreads() belongs here
    numbers[threadIdx.x] = line[63 - threadIdx.x];
}

int main() {
    float host[64], *numbers;
    for (int i = 0; i < 64; ++i)
        host[i] = (float)i;
    CUDA_CHECK(cudaMalloc((void **)&numbers, sizeof host));
    CUDA_CHECK(cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice));
    reverse<<<1, 64>>>(numbers);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(numbers));
    printf("expected 63 62 61 ... 2 1 0\n");
    printf("got      %g %g %g ... %g %g %g\n", host[0], host[1], host[2], host[61], host[62], host[63]);
    return 0;
}
