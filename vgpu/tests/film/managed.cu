// Memory that the host and the device share, pinned memory, and a function that calls itself: the
// program prints the same, filmed or not.
#include <cstdio>

__device__ int product(int n) {
    return n < 2 ? 1 : n * product(n - 1);
}

__global__ void add(int *managed, int *pinned) {
    int i = threadIdx.x;
    managed[i] = managed[i] + product(3);
    atomicAdd(pinned, 1);
}

int main() {
    int *managed, *pinned;
    cudaMallocManaged(&managed, 32 * sizeof(int));
    cudaMallocHost(&pinned, sizeof(int));
    for (int i = 0; i < 32; i++)
        managed[i] = i;
    *pinned = 0;
    add<<<1, 32>>>(managed, pinned);
    cudaDeviceSynchronize();
    printf("%d %d\n", managed[3], *pinned);
    cudaFree(managed);
    cudaFreeHost(pinned);
}
