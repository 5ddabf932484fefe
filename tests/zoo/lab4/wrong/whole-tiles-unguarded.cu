// Where a tile of C lies in C, nobody asks whether its tiles of A and B stick out along k.
#include "cuda_check.h"
#include "lab.h"

constexpr int TILE = 32;
constexpr int MAX_GRID_HEIGHT = 65535;

template <bool ASK>
__device__ void block_product(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float tile_A[TILE][TILE];
    __shared__ float tile_B[TILE][TILE];

    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;

    float sum = 0.0f;
    for (int from = 0; from < k; from += TILE) {
        float a = 0.0f, b = 0.0f;
        if (!ASK || (row < m && from + x < k))
            a = A[(size_t)row * k + from + x];
        if (!ASK || (from + y < k && col < n))
            b = B[(size_t)(from + y) * n + col];
        tile_A[y][x] = a;
        tile_B[y][x] = b;
        __syncthreads();

        for (int p = 0; p < TILE; ++p)
            sum += tile_A[y][p] * tile_B[p][x];
        __syncthreads();
    }

    if (!ASK || (row < m && col < n))
        C[(size_t)row * n + col] = sum;
}

__global__ void multiply_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    // the same for all threads of a block, so barriers are no problem
    const bool whole = (blockIdx.y + 1) * TILE <= m && (blockIdx.x + 1) * TILE <= n;
    if (whole)
        block_product<false>(m, n, k, A, B, C);
    else
        block_product<true>(m, n, k, A, B, C);
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int max_rows = MAX_GRID_HEIGHT * TILE;
    for (int first = 0; first < m; first += max_rows) {
        const int rows = m - first < max_rows ? m - first : max_rows;
        const dim3 grid((n - 1) / TILE + 1, (rows - 1) / TILE + 1);
        multiply_tiled<<<grid, dim3(TILE, TILE)>>>(rows, n, k, A + (size_t)first * k, B,
                                                   C + (size_t)first * n);
        CUDA_CHECK_LAUNCH();
    }
}
