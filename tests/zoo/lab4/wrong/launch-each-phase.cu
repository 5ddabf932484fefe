// Wrong: Each phase is a launch of its own, which adds its terms to C: C goes to memory and comes
// back for every tile, and the sum is never in a register. All products are right. The cause must
// name the sum, not parts that are written for nothing: no block shares a tile with another.
#include "cuda_check.h"
#include "lab.h"

#define TILE 16

__global__ void add_phase(int m, int n, int k, const float *A, const float *B, float *C, int first) {
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, across = (n - 1) / TILE + 1;
    int row = blockIdx.x / across * TILE + y, col = blockIdx.x % across * TILE + x;
    a[y][x] = row < m && first + x < k ? A[(size_t)row * k + first + x] : 0.0f;
    b[y][x] = first + y < k && col < n ? B[(size_t)(first + y) * n + col] : 0.0f;
    __syncthreads();
    if (row >= m || col >= n)
        return;
    float sum = first > 0 ? C[(size_t)row * n + col] : 0.0f;
    for (int p = 0; p < TILE; ++p)
        sum += a[y][p] * b[p][x];
    C[(size_t)row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int blocks = ((m - 1) / TILE + 1) * ((n - 1) / TILE + 1);
    for (int first = 0; first < k; first += TILE) {
        add_phase<<<blocks, dim3(TILE, TILE)>>>(m, n, k, A, B, C, first);
        CUDA_CHECK_LAUNCH();
    }
}
