// only: clang
// env: VGPU_DEVICE=GT_330M
// What a 2010 laptop says of itself, and of a block of 1024 threads.
#include <stdio.h>

__global__ void nothing(void) {}

int main(void) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("%s: %d.%d, %d multiprocessors, %d kHz, %zu MiB, %zu bytes shared, %d threads a block\n",
           p.name, p.major, p.minor, p.multiProcessorCount, p.clockRate, p.totalGlobalMem >> 20,
           p.sharedMemPerBlock, p.maxThreadsPerBlock);
    printf("textures: %d, %d x %d, %d x %d x %d; in layers %d x %d, %d x %d x %d\n", p.maxTexture1D,
           p.maxTexture2D[0], p.maxTexture2D[1], p.maxTexture3D[0], p.maxTexture3D[1],
           p.maxTexture3D[2], p.maxTexture1DLayered[0], p.maxTexture1DLayered[1],
           p.maxTexture2DLayered[0], p.maxTexture2DLayered[1], p.maxTexture2DLayered[2]);
    nothing<<<1, dim3(32, 32)>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    int grid, block;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing);
    printf("%d blocks of %d\n", grid, block);
    return 0;
}
