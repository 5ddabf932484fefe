// A device assert names its line; the error is the device's.
#include <assert.h>
#include <stdio.h>

__global__ void check(int limit) {
    assert(threadIdx.x < limit);
}

int main(void) {
    check<<<1, 8>>>(5);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
