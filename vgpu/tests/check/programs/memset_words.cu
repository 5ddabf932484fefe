// cudaMemset sets bytes, which is told where kernels read words of them.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
// run: 7
#include <stdio.h>
#include <stdlib.h>

__global__ void add(int *x) {
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void scale(double *to, const float *x) {
    to[threadIdx.x] = 2 * x[threadIdx.x];
}

__global__ void bytes(unsigned char *x) {
    x[threadIdx.x] += 1;
}

__global__ void store(int *x) {
    x[threadIdx.x] = 3;
}

int main(int argc, char **argv) {
    const int what = argc > 1 ? atoi(argv[1]) : 0;
    int *x, host[64] = {};
    double *to;
    cudaMalloc(&x, 256);
    cudaMalloc(&to, 256);
    cudaMemset(x, what == 3 ? 0 : what == 4 ? 0x7f : what == 5 ? -1 : 1, 256);
    switch (what) {
    case 1: /* told once: then the words have other values */
        add<<<2, 32>>>(x);
        add<<<2, 32>>>(x);
        break;
    case 2: scale<<<1, 32>>>(to, (float *)x); break;
    case 3:
    case 4:
    case 5: add<<<2, 32>>>(x); break; /* values that are chosen so */
    case 6: bytes<<<1, 256>>>((unsigned char *)x); break;
    case 7: /* others have written there since */
        store<<<1, 32>>>(x);
        cudaMemcpy(x + 32, host, 128, cudaMemcpyHostToDevice);
        add<<<2, 32>>>(x);
        break;
    }
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d, %s\n", host[0], host[63], cudaGetErrorString(cudaGetLastError()));
    cudaFree(x);
    cudaFree(to);
    return 0;
}
