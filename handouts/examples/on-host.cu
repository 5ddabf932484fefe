// on-host.cu: reads device memory from the host, without copying it first.

#include "cuda_check.h"

int main() {
    float *numbers;
    CUDA_CHECK(cudaMalloc((void **)&numbers, 10 * sizeof(float)));
    CUDA_CHECK(cudaMemset(numbers, 0, 10 * sizeof(float)));
    printf("the first number is %g\n", numbers[0]);
    CUDA_CHECK(cudaFree(numbers));
    return 0;
}
