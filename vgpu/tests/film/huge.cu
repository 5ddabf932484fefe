// huge.cu: writes here and there in an allocation that is larger than a page can hold.
#include <cuda_runtime.h>
__global__ void huge(int *numbers) {
    for (size_t i = 0; i < 20; ++i) {
        size_t place = i * 250000 + threadIdx.x;
        numbers[place] = (int)i;
    }
}
int main() {
    int *numbers;
    cudaMalloc(&numbers, (size_t)200 << 20);
    huge<<<1, 32>>>(numbers);
    cudaDeviceSynchronize();
    cudaFree(numbers);
    return 0;
}
