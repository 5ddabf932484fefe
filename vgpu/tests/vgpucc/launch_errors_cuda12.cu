// env: VGPU_CUDART=12 VGPU_QUIET=1
// The same under an earlier toolkit, without the words.
#include <stdio.h>

__global__ void set(int *x) {
    *x = 1;
}

static void report(const char *what) {
    cudaError_t error = cudaGetLastError();
    printf("%s: %s, then %s\n", what, cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
}

int main(void) {
    int *d, h = -1;
    cudaMalloc(&d, sizeof *d);
    cudaMemset(d, 0, sizeof *d);
    set<<<1, 2048>>>(d);
    report("2048 threads");
    set<<<0, 1>>>(d);
    report("no blocks");
    set<<<1, 1, 300000>>>(d);
    report("300,000 bytes");
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("d = %d\n", h);
    set<<<1, 1>>>(d);
    report("one thread");
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("d = %d\n", h);
    return 0;
}
