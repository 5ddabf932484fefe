// only: clang
// A constant of addresses, which the host would have others of: that is said where host code names
// it, and nowhere else.
#include <cstdio>

__device__ const char *const names[2] = {"first", "second"};
__device__ const char *const for_kernels[2] = {"third", "fourth"};

__global__ void show() {
    printf("%s %s\n", names[threadIdx.x], for_kernels[threadIdx.x]);
}

int main(int argc, char **argv) {
    show<<<1, 2>>>();
    cudaDeviceSynchronize();
    if (argc > 1)
        printf("%s\n", names[argc]);
    return 0;
}
