// says: cudaMalloc: 1152921504606846976 bytes asked for, 150109880320 bytes of device memory left (NVIDIA H200)
// says: launch of bad refused (NVIDIA H200): blockDim.x is 2000, the limit is 1024
// says: cudaSetDevice: there is no device 99: the virtual GPU is one device, number 0
// says: illegal global write of 4 bytes at 0x0: a null pointer
#include "check.cuh"
__global__ void bad(int *p) { *p = 1; }
int main() { int *d; MUST(cudaMalloc(&d, (size_t)1 << 60) == cudaErrorMemoryAllocation); MUST(cudaGetLastError() == cudaErrorMemoryAllocation); MUST(cudaPeekAtLastError() == cudaSuccess); bad<<<1, 2000>>>(d); cudaError_t e = cudaGetLastError(); MUST(e == cudaErrorInvalidConfiguration || e == cudaErrorInvalidValue); MUST(cudaSetDevice(99) == cudaErrorInvalidDevice); cudaGetLastError(); bad<<<1, 1>>>(nullptr); MUST(cudaDeviceSynchronize() == cudaErrorIllegalAddress); printf("%s: %s\n", cudaGetErrorName(cudaErrorIllegalAddress), cudaGetErrorString(cudaErrorIllegalAddress)); }
