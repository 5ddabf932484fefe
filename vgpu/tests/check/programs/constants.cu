// __constant__ memory that nobody has filled, and constants that are as they should be.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
// run: 7
// run: 8
// run: 9
#include <stdio.h>
#include <stdlib.h>

struct settings {
    float scale;
    int count;
};
struct with_values {
    float scale = 0;
    int count = 0;
};

__constant__ float forgotten[32];
static __constant__ int hidden[4];
__constant__ settings setup;
__constant__ float half_filled[16];
__constant__ double alone, zero = 0;
__constant__ float zeros[4] = {0, 0, 0, 0};
__constant__ float empty[4] = {};
__constant__ float braces[4]{};
__constant__ float first[4] = {0}, second[4];
__constant__ float values[4] = {1, 2};
__constant__ with_values made;
__constant__ float filled[4], by_address[4], by_kernel[4], cleared[4];
namespace other {
__constant__ float filled[4];
}
__device__ float plain[4];

__global__ void scale(float *out) {
    out[threadIdx.x + blockIdx.x * blockDim.x] = 2 * forgotten[threadIdx.x];
}

__global__ void more(float *out) {
    if (threadIdx.x < 4)
        out[threadIdx.x] = hidden[threadIdx.x] + setup.count;
    if (threadIdx.x == 5)
        out[5] = alone + other::filled[1];
}

__global__ void ends(float *out) {
    out[threadIdx.x] = half_filled[threadIdx.x % 16];
}

__global__ void right(float *out) {
    const int i = threadIdx.x % 4;
    out[threadIdx.x] = zeros[i] + empty[i] + braces[i] + first[i] + values[i] + filled[i] +
                       by_address[i] + by_kernel[i] + cleared[i] + plain[i] + made.scale + zero;
}

__global__ void through_pointer(float *out, const float *from) {
    out[threadIdx.x] = from[threadIdx.x % 4];
}

__global__ void not_reached(float *out, int n) {
    out[threadIdx.x] = n > 0 ? second[threadIdx.x % 4] : 1;
}

__global__ void store(float *to) {
    to[threadIdx.x] = threadIdx.x;
}

static void fill() {
    const float four[4] = {1, 2, 3, 4};
    void *at;
    cudaMemcpyToSymbol(filled, four, sizeof four);
    cudaGetSymbolAddress(&at, by_address);
    cudaMemcpy(at, four, sizeof four, cudaMemcpyHostToDevice);
    cudaGetSymbolAddress(&at, by_kernel);
    store<<<1, 4>>>((float *)at);
    cudaGetSymbolAddress(&at, cleared);
    cudaMemset(at, 0, sizeof four);
}

int main(int argc, char **argv) {
    const int what = argc > 1 ? atoi(argv[1]) : 0;
    const float sixteen[16] = {1};
    float *out, host[64];
    void *at;
    cudaMalloc(&out, 256);
    switch (what) {
    case 1: scale<<<2, 32>>>(out); break;
    case 2: more<<<1, 32>>>(out); break;
    case 3: /* elements for bytes */
        cudaMemcpyToSymbol(half_filled, sixteen, 16);
        ends<<<1, 32>>>(out);
        break;
    case 4: fill(), right<<<1, 32>>>(out); break;
    case 5:
        cudaGetSymbolAddress(&at, second);
        through_pointer<<<1, 32>>>(out, (const float *)at);
        break;
    case 6: not_reached<<<1, 32>>>(out, 0); break;
    case 7: /* the host looks, and copies what nobody filled */
        cudaMemcpyFromSymbol(host, second, 16);
        cudaMemset(out, 0, 256);
        cudaGetSymbolAddress(&at, second);
        cudaMemcpy(out, at, 16, cudaMemcpyDeviceToDevice);
        through_pointer<<<1, 32>>>(out + 32, out);
        break;
    case 8: /* told once, and filled then */
        scale<<<2, 32>>>(out);
        scale<<<2, 32>>>(out);
        cudaMemcpyToSymbol(forgotten, sixteen, 64);
        cudaMemcpyToSymbol(forgotten, sixteen, 64, 64);
        scale<<<2, 32>>>(out);
        break;
    case 9: /* after a reset nothing is filled any more */
        fill();
        cudaFree(out);
        cudaDeviceReset();
        cudaMalloc(&out, 256);
        right<<<1, 1>>>(out);
        break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(out);
    return 0;
}
