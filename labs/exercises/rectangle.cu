// Exercise "rectangle": tiles for a rectangular product, the step between labs 3 and 4.
//
// A is m x k, B is k x n, and all three are multiples of the tile, but differ. So nothing has an
// edge, and yet each matrix has a width of its own. A thread walks: its first element of A, and of
// B, the step from tile to tile, and where the walk ends.
//
// Build and run: make exercise-rectangle

#include "exercise.h"

#define TILE 16

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float tile_A[TILE][TILE], tile_B[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    (void)m; // the grid knows it

    // TODO 1: The index of the first element of A that this block reads, the index behind its last
    // one in that row, and the step from a tile to the next.
    int a_begin = 0, a_end = 0, a_step = 1;

    // TODO 2: The same for B, which is walked downwards: where it begins, and its step.
    int b_begin = 0, b_step = 0;

    float sum = 0;
    for (int a = a_begin, b = b_begin; a < a_end; a += a_step, b += b_step) {
        // TODO 3: Copy the element (y, x) of either tile. How long is a row of A, how long one of
        // B? Then go on as in lab 3: wait, add up the products of the tiles, wait.
        (void)tile_A, (void)tile_B, (void)x, (void)y, (void)b, (void)A, (void)B;
    }
    // TODO 4: Store the sum. How long is a row of C?
    (void)n, (void)k, (void)C, (void)sum; // delete this line
}

static void check(int m, int n, int k) {
    float *A = small_numbers((size_t)m * k, 1), *B = small_numbers((size_t)k * n, 2);
    float *C = numbers_of((size_t)m * n);
    float *d_A = to_device(A, (size_t)m * k), *d_B = to_device(B, (size_t)k * n);
    float *d_C = to_device(C, (size_t)m * n);
    multiply<<<dim3(n / TILE, m / TILE), dim3(TILE, TILE)>>>(m, n, k, d_A, d_B, d_C);
    CUDA_CHECK_LAUNCH();
    from_device(C, d_C, (size_t)m * n);
    int wrong = wrong_elements(m, n, k, A, B, C);
    printf("  %3d x %3d times %3d x %3d: %d of %d elements are wrong\n", m, k, k, n, wrong, m * n);
    expect(wrong == 0, "this product");
    CUDA_CHECK(cudaFree(d_A));
    CUDA_CHECK(cudaFree(d_B));
    free(A), free(B), free(C);
}

int main() {
    check(16, 16, 16);
    check(32, 32, 96);
    check(32, 96, 64);
    check(112, 48, 16);
    return verdict();
}
