// A kernel that may start while the one before still runs, and waits for its end before it reads what
// that one stores: by the functions of CUDA, and by the instructions.
// flags: -arch=sm_90
#include <cstdio>
#include <cuda_runtime.h>

__global__ void first(int *numbers) {
#if __CUDA_ARCH__ >= 800
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    numbers[threadIdx.x] = 3 * threadIdx.x;
}

__global__ void second(const int *numbers, int *sums) {
#if __CUDA_ARCH__ >= 800
    cudaGridDependencySynchronize();
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;");
#endif
    sums[threadIdx.x] = numbers[threadIdx.x] + numbers[blockDim.x - 1 - threadIdx.x];
}

int main() {
    int *numbers, *sums, host[64];
    cudaMalloc(&numbers, sizeof host);
    cudaMalloc(&sums, sizeof host);
    cudaLaunchAttribute closely = {};
    closely.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    closely.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(64);
    config.attrs = &closely;
    config.numAttrs = 1;
    first<<<1, 64>>>(numbers);
    cudaError_t status = cudaLaunchKernelEx(&config, second, (const int *)numbers, sums);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 64; ++i)
        wrong += host[i] != 3 * 63;
    printf("%s, %d wrong\n", cudaGetErrorName(status), wrong);
    cudaFree(numbers);
    cudaFree(sums);
}
