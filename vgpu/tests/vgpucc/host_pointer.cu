// A host array handed to a kernel, and a device array read by the host.
#include <stdio.h>

__global__ void add(const int *a, int *b) {
    b[threadIdx.x] += a[threadIdx.x];
}

int main(void) {
    static int host[32];
    int *d;
    cudaMalloc(&d, sizeof host);
    add<<<1, 32>>>(host, d);
    printf("sync: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    fflush(stdout);
    printf("first: %d\n", d[0]);
    return 0;
}
