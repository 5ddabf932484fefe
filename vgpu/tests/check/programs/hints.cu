// Bad addresses and calls whose message says what was probably meant.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
#include <stdio.h>
#include <stdlib.h>

__device__ float weights[32];
__constant__ int limits[4] = {1, 2, 3, 4};
extern __shared__ float tile[];

__global__ void read(const float *from, float *to) {
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void reverse(float *x) {
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

/* An int ends at 2147483647. */
__global__ void touch(char *x, int width) {
    const int row = blockIdx.x * 65536;
    x[row * width] = 1;
}

__global__ void touch_far(float *x, size_t i) {
    x[i] = 1;
}

int main(int argc, char **argv) {
    const int what = argc > 1 ? atoi(argv[1]) : 0;
    float *x;
    int host[4] = {};
    cudaMalloc(&x, 256);
    cudaMemset(x, 0, 256);
    switch (what) {
    case 1: read<<<1, 32>>>(weights, x); break;           /* the host's copy */
    case 2: reverse<<<1, 64>>>(x); break;                 /* no dynamic shared memory */
    case 3: reverse<<<1, 64, 64>>>(x); break;             /* elements instead of bytes */
    case 4: touch<<<2, 1>>>((char *)x, 40000); break;     /* an int overflows */
    case 5: touch_far<<<1, 1>>>(x, (size_t)1 << 31); break;
    case 6: /* as before CUDA 5 */
        printf("%s\n", cudaGetErrorString(cudaMemcpyFromSymbol(host, "limits", sizeof host)));
        printf("%s\n", cudaGetErrorString(cudaMemcpyFromSymbol(host, limits, sizeof host)));
        break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x);
    return 0;
}
