// alignas behind __shared__ and its like, as nvcc takes it (clang wants it in front of everything), and
// where it belongs to a type. The aligned arrays are read 16 bytes at a time.
#include <cstdio>
#include <cstdint>

struct alignas(16) Vec { float x, y, z, w; };
__device__ alignas(16) float global_array[5] = {1, 2, 3, 4, 5};
__constant__  alignas(Vec)  float constant_array[4] = {10, 20, 30, 40};
#define TILE(name) __shared__ alignas(sizeof(float) * 4) float name[32]

__global__ void k(int *out) {
    __shared__ char odd;
    __shared__ alignas(128) float a[32];
    __shared__ __align__(64) float b[32];
    __shared__ alignas(alignof(float4)) volatile float c[32];
    extern __shared__ __align__(32) unsigned char dynamic[];
    TILE(d);
    alignas(8) int local[2] = {1, 2};
    const char *text = "__shared__ alignas(16) in a text"; /* __shared__ alignas(16) in a comment */
    if (threadIdx.x == 0) odd = 1;
    a[threadIdx.x] = b[threadIdx.x] = c[threadIdx.x] = d[threadIdx.x] = threadIdx.x;
    dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        const Vec v = *(Vec *)&a[4], g = *(Vec *)global_array, e = *(Vec *)constant_array, f = *(Vec *)&d[8];
        out[0] = (int)(v.x + g.y + e.z + f.w);
        out[1] = (uintptr_t)a % 128 == 0 && (uintptr_t)b % 64 == 0 && (uintptr_t)c % 16 == 0 && (uintptr_t)d % 16 == 0;
        out[2] = (uintptr_t)local % 8 == 0 && dynamic[7] == 7 && text[0] == '_' && sizeof(Vec) == 16 && odd >= 0;
    }
}

int main() {
    int *d, h[3] = {0};
    cudaMalloc(&d, sizeof h);
    k<<<1, 32, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %s\n", h[0], h[1], h[2], cudaGetErrorName(cudaGetLastError()));
    cudaFree(d);
    return 0;
}
