// Exercise "submatrix": the same tiled product, written with a matrix type and a stride.
//
// A tile is a matrix, too. It lies inside a larger one: from one of its rows to the next is not its
// own width, but the width of the matrix around it. That distance is the stride.
//
// Build and run: make exercise-submatrix

#include "exercise.h"

#define TILE 16

struct Matrix {
    int height, width;
    int stride;      // elements from one row to the next
    float *elements; // of the device
};

// TODO 1: The element in this row and column, and a function that sets it.
__device__ float get_element(struct Matrix M, int row, int col) {
    (void)M, (void)row, (void)col;
    return 0;
}

__device__ void set_element(struct Matrix M, int row, int col, float value) {
    (void)M, (void)row, (void)col, (void)value;
}

// TODO 2: The tile in this row and column of tiles. Nothing is copied: it is a view.
__device__ struct Matrix get_submatrix(struct Matrix M, int tile_row, int tile_col) {
    struct Matrix tile = M;
    (void)tile_row, (void)tile_col;
    return tile;
}

// TODO 3: Multiply with these three functions only: no [ ] but that of shared memory. Sizes are
// multiples of the tile. For each tile of the sum: get the tiles of A and B, let every thread copy
// one element of either into shared memory, wait, multiply, wait.
__global__ void multiply(struct Matrix A, struct Matrix B, struct Matrix C) {
    __shared__ float tile_A[TILE][TILE], tile_B[TILE][TILE];
    int row = threadIdx.y, col = threadIdx.x;
    float sum = 0;
    (void)A, (void)B, (void)tile_A, (void)tile_B;
    set_element(get_submatrix(C, blockIdx.y, blockIdx.x), row, col, sum);
}

// The matrix is the left part of a wider one: its stride is larger than its width.
static struct Matrix matrix_of(int height, int width, int stride, const float *numbers) {
    struct Matrix M = {height, width, stride, to_device(numbers, (size_t)height * stride)};
    return M;
}

static float *left_part(int height, int width, int stride, const float *wide) {
    float *part = numbers_of((size_t)height * width);
    for (int i = 0; i < height; ++i)
        memcpy(part + (size_t)i * width, wide + (size_t)i * stride, width * sizeof *part);
    return part;
}

static void check(int m, int n, int k, int more) {
    float *A = small_numbers((size_t)m * (k + more), 1);
    float *B = small_numbers((size_t)k * (n + more), 2);
    float *C = numbers_of((size_t)m * (n + more));
    struct Matrix d_A = matrix_of(m, k, k + more, A), d_B = matrix_of(k, n, n + more, B);
    struct Matrix d_C = matrix_of(m, n, n + more, C);
    multiply<<<dim3(n / TILE, m / TILE), dim3(TILE, TILE)>>>(d_A, d_B, d_C);
    CUDA_CHECK_LAUNCH();
    from_device(C, d_C.elements, (size_t)m * (n + more));
    float *a = left_part(m, k, k + more, A), *b = left_part(k, n, n + more, B);
    float *c = left_part(m, n, n + more, C);
    int wrong = wrong_elements(m, n, k, a, b, c), touched = 0;
    for (int i = 0; i < m; ++i)
        for (int j = n; j < n + more; ++j)
            touched += !isnan(C[(size_t)i * (n + more) + j]);
    printf("  %2d x %2d times %2d x %2d, rows %2d longer: %d wrong, %d written beside C\n", m, k,
           k, n, more, wrong, touched);
    expect(wrong == 0 && touched == 0, "this product");
    CUDA_CHECK(cudaFree(d_A.elements));
    CUDA_CHECK(cudaFree(d_B.elements));
    free(A), free(B), free(C), free(a), free(b), free(c);
}

int main() {
    check(32, 32, 32, 0);
    check(32, 64, 96, 0);
    check(48, 32, 64, 16);
    return verdict();
}
