// leak.cu: gives back one of two allocations, and uses a variable that nobody has set.

#include "cuda_check.h"

__global__ void add_up(const float *numbers, float *result) {
    float sum; // = 0.0f is missing
    for (int i = 0; i < 4; ++i)
        sum += numbers[i];
    *result = sum;
}

int main() {
    float *numbers, *result, host = 0.0f;
    CUDA_CHECK(cudaMalloc((void **)&numbers, 4 * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&result, sizeof(float)));
    CUDA_CHECK(cudaMemset(numbers, 0, 4 * sizeof(float)));
    add_up<<<1, 1>>>(numbers, result);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&host, result, sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(result));
    printf("0 + 0 + 0 + 0 = %g\n", host);
    return 0;
}
