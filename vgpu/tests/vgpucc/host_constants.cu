// Constants of the device that host code reads: nvcc's host code has their values, too.
#include <cstdio>

const __device__ int table[4] = {10, 20, 30, 40};
__device__ const float factor = 2.5f;
static const __device__ int hidden[3] = {1, 2, 3};
constexpr __device__ int powers[2] = {7, 8};
__constant__ const double halves[2] = {0.5, 0.1};
const __device__ float grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
const __device__ char text[] = "abc, align 4";
const __device__ unsigned char bytes[3] = {200, 100, 0};
const __device__ int nothing[3] = {0, 0, 0};
struct point {
    int x;
    float y;
};
const __device__ point points[2] = {{1, 2}, {3, 4}};
namespace inner {
const __device__ int table[2] = {-1, -2};
}
/* No kernel reads this one. */
const __device__ int for_the_host[2] = {11, 12};
/* The host's own. */
constexpr int of_the_host[3] = {5, 6, 7};

__global__ void sum(float *out) {
    const int i = threadIdx.x;
    out[i] = table[i] + factor + hidden[i % 3] + powers[i % 2] + halves[i % 2] + grid[i % 2][i % 3] +
             text[i] + bytes[i % 3] + nothing[i % 3] + points[i % 2].y + inner::table[i % 2];
}

int main(int argc, char **argv) {
    const int one = argc;
    int all = 0;
    for (int x : table)
        all += x;
    printf("%d %d %g, %d\n", table[one], table[2], factor, all);
    printf("%d %d %g %g\n", hidden[one], powers[one], halves[one - 1], halves[one]);
    printf("%g %s %d %d\n", grid[one][one + 1], text + one, bytes[one], nothing[one]);
    printf("%d %g %d %d %d\n", points[one].x, points[one].y, inner::table[one], for_the_host[one],
           of_the_host[one]);
    float *out, host[4];
    int back[4] = {};
    cudaMalloc(&out, sizeof host);
    sum<<<1, 4>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++)
        printf("%g ", host[i]);
    cudaError_t error = cudaMemcpyFromSymbol(back, table, sizeof back);
    printf("%s %d\n", cudaGetErrorString(error), back[3]);
    cudaFree(out);
    return 0;
}
