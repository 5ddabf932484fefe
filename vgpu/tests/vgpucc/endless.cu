// env: VGPU_BUDGET=100000
// A kernel that waits for itself is stopped by the budget of instructions.
#include <stdio.h>

__global__ void wait(volatile int *flag) {
    while (*flag == 0)
        ;
}

int main(void) {
    int *d;
    cudaMalloc(&d, sizeof *d);
    cudaMemset(d, 0, sizeof *d);
    wait<<<1, 1>>>(d);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
