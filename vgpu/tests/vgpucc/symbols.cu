// __constant__ and __device__ variables, by name and by address, in a namespace and a template.
#include <stdio.h>

__constant__ float coefficients[4];
__device__ int counter = 5;
namespace inner {
__device__ double table[2];
}

__global__ void use(float *out) {
    out[threadIdx.x] = coefficients[threadIdx.x] + counter + inner::table[threadIdx.x & 1];
    __syncthreads();
    if (threadIdx.x == 0)
        counter = 9;
}

template <class T> __global__ void fill(T *p, T value) {
    p[threadIdx.x] = value;
}

int main() {
    float c[4] = {1, 2, 3, 4}, out[4], *d;
    double *t, pair[2] = {10, 20};
    int n = 0;
    size_t size = 0;
    cudaMalloc(&d, sizeof out);
    cudaMemcpyToSymbol(coefficients, c, sizeof c);
    cudaMemcpyToSymbol(inner::table, &pair[1], 8, 8);
    cudaGetSymbolAddress((void **)&t, inner::table);
    cudaGetSymbolSize(&size, coefficients);
    cudaMemcpy(t, pair, 8, cudaMemcpyHostToDevice);
    use<<<1, 4>>>(d);
    cudaMemcpyFromSymbol(&n, counter, sizeof n);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g, counter %d, size %zu\n", out[0], out[1], out[2], out[3], n, size);
    fill<<<1, 4>>>(d, 2.5f);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    printf("%g %g\n", out[0], out[3]);
    // Through a pointer: no compiler puts the header's function into main, so the call has a line.
    cudaError_t (*volatile copy)(const decltype(coefficients) &, const void *, size_t, size_t,
                                 cudaMemcpyKind) = cudaMemcpyToSymbol;
    printf("%s\n", cudaGetErrorName(copy(coefficients, c, 20, 0, cudaMemcpyHostToDevice)));
    return 0;
}
