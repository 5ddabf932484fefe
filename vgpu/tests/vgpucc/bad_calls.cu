// What is wrong with each call is said on one line.
#include <stdio.h>

#define TRY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main(void) {
    float host[64];
    float *d;
    cudaMalloc(&d, 32 * sizeof(float));
    TRY(cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(host, d, 128, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d + 8, host, 128, cudaMemcpyHostToDevice));
    TRY(cudaFree(d + 1));
    TRY(cudaFree(d));
    TRY(cudaFree(d));
    TRY(cudaMemcpy(d, host, 128, cudaMemcpyHostToDevice));
    TRY(cudaFree(host));
    TRY(cudaSetDevice(1));
    return 0;
}
