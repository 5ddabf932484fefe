// chunks.cu: doubles 250 numbers with 64 threads. Each thread takes four that lie side by side.

#include "cuda_check.h"

__global__ void twice(int count, float *numbers) {
    int threads = gridDim.x * blockDim.x;
    int each = (count + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < count; ++i)
        numbers[i] = 2.0f * numbers[i];
}

int main() {
    float *numbers;
    CUDA_CHECK(cudaMalloc((void **)&numbers, 250 * sizeof *numbers));
    CUDA_CHECK(cudaMemset(numbers, 0, 250 * sizeof *numbers));
    twice<<<1, 64>>>(250, numbers);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(numbers));
    return 0;
}
