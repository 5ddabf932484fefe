// Asks for the device. A C++ compiler alone builds it: CUDA::cudart brings headers and library.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
    cudaDeviceProp device;
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
        std::printf("no device\n");
        return 1;
    }
    std::printf("%s: %d multiprocessors\n", device.name, device.multiProcessorCount);
    return 0;
}
