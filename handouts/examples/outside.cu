// outside.cu: doubles 100 numbers with blocks of 64 threads, and forgets that 2 x 64 is more than 100.

#include "cuda_check.h"

__global__ void twice(int count, float *numbers) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    (void)count; // the guard is missing
    numbers[i] = 2.0f * numbers[i];
}

int main() {
    const int count = 100;
    float *numbers;
    CUDA_CHECK(cudaMalloc((void **)&numbers, count * sizeof(float)));
    CUDA_CHECK(cudaMemset(numbers, 0, count * sizeof(float)));
    twice<<<(count - 1) / 64 + 1, 64>>>(count, numbers);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(numbers));
    return 0;
}
