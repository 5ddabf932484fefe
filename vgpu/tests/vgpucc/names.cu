// only: clang
// Names with letters beyond ASCII: kernels, device functions and variables, shared arrays, types, locals.
#include <cstdio>

struct Größe {
    float wert;
};
__device__ float 系数 = 3.0f;
__constant__ int сдвиг;

__device__ __noinline__ float умножить(float x) { return x * 系数; }

template <class T> __global__ void größer(T *ziel, int n) {
    __shared__ float 块[32];
    __shared__ float 快[32];
    const int 列 = threadIdx.x;
    块[列] = (float)列;
    快[列] = 100.0f;
    __syncthreads();
    if (列 < n)
        ziel[列].wert = умножить(块[n - 1 - 列]) + 快[列] + (float)сдвиг;
}

int main() {
    Größe *d, h[4];
    const int seven = 7;
    const float two = 2.0f;
    cudaMalloc(&d, sizeof h);
    cudaMemcpyToSymbol(сдвиг, &seven, sizeof seven);
    cudaMemcpyToSymbol(系数, &two, sizeof two);
    größer<Größe><<<1, 32>>>(d, 4);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (const Größe &g : h)
        printf("%g\n", g.wert);
    größer<Größe><<<1, 2048>>>(d, 4);
    cudaFree(d);
}
