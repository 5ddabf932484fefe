// Blocks along y are for columns, and take turns with those where a grid has no room for more; a
// function reads a tile's element, or zero.
#include "cuda_check.h"
#include "lab.h"
enum { W = 32 };
struct Mat { const float *p; int rows, cols; };
static __device__ float at(Mat x, int r, int c) {
    return r < x.rows && c < x.cols ? x.p[(size_t)r * x.cols + c] : 0.0f;
}
__global__ void tiled(Mat a, Mat b, float *c) {
    __shared__ float ta[W][W], tb[W][W];
    int r = blockIdx.x * W + threadIdx.y;
    for (int c0 = blockIdx.y * W; c0 < b.cols; c0 += gridDim.y * W) {
        int col = c0 + threadIdx.x;
        float s = 0;
        for (int q = 0; q < a.cols; q += W) {
            ta[threadIdx.y][threadIdx.x] = at(a, r, q + threadIdx.x);
            tb[threadIdx.y][threadIdx.x] = at(b, q + threadIdx.y, col);
            __syncthreads();
            for (int p = 0; p < W; ++p)
                s += ta[threadIdx.y][p] * tb[p][threadIdx.x];
            __syncthreads();
        }
        if (r < a.rows && col < b.cols)
            c[(size_t)r * b.cols + col] = s;
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    unsigned gy = (n + W - 1) / W;
    if (gy > 30000)
        gy = 30000;
    tiled<<<dim3((m + W - 1) / W, gy), dim3(W, W)>>>({A, m, k}, {B, k, n}, C);
    CUDA_CHECK_LAUNCH();
}
