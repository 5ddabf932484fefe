// Where whole strips are left there is one strip too many, and the store's guard looks at the
// first one's column.
#include "cuda_check.h"
#include "lab.h"

#define TILE   32
#define STRIPS 4 // tiles of C, one beside the other, that a block computes

// A grid may have 2,147,483,647 blocks along x, but only 65,535 along y.
#define MAX_GRID_HEIGHT 65535

// A block takes STRIPS tiles side by side: a tile of A serves all of them.
__global__ void multiply_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float tile_A[TILE][TILE];
    __shared__ float tile_B[TILE][STRIPS * TILE];

    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * STRIPS * TILE + x; // of the first strip
    int strips = min(STRIPS, (n - col) / TILE + 1); // how many of them C has here

    float sum[STRIPS] = {};
    for (int p0 = 0; p0 < k; p0 += TILE) {
        tile_A[y][x] = row < m && p0 + x < k ? A[(size_t)row * k + p0 + x] : 0.0f;
        for (int s = 0; s < STRIPS; ++s) {
            int c = col + s * TILE;
            tile_B[y][s * TILE + x] = p0 + y < k && c < n ? B[(size_t)(p0 + y) * n + c] : 0.0f;
        }
        __syncthreads();
        for (int p = 0; p < TILE; ++p) {
            float a = tile_A[y][p];
            for (int s = 0; s < STRIPS; ++s)
                sum[s] += a * tile_B[p][s * TILE + x];
        }
        __syncthreads();
    }

    if (row < m)
        for (int s = 0; s < strips; ++s)
            if (col < n)
                C[(size_t)row * n + col + s * TILE] = sum[s];
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int max_rows = MAX_GRID_HEIGHT * TILE;
    dim3 block(TILE, TILE);
    int across = (n + STRIPS * TILE - 1) / (STRIPS * TILE);
    for (int first = 0; first < m; first += max_rows) {
        int rows = m - first < max_rows ? m - first : max_rows;
        dim3 grid(across, (rows + TILE - 1) / TILE);
        multiply_tiled<<<grid, block>>>(rows, n, k, A + (size_t)first * k, B,
                                        C + (size_t)first * n);
        CUDA_CHECK_LAUNCH();
    }
}
