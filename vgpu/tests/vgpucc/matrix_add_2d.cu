// A 2D grid over pitched memory, 2D copies, dim3 with missing sizes.
#include <stdio.h>

const int ROWS = 37, COLS = 50;

__global__ void add(const float *a, const float *b, float *c, size_t pitch, int rows, int cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols) {
        size_t at = row * pitch / sizeof(float) + col;
        c[at] = a[at] + b[at];
    }
}

int main() {
    static float a[ROWS][COLS], b[ROWS][COLS], c[ROWS][COLS];
    float *d[3];
    size_t pitch = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            a[i][j] = i;
            b[i][j] = 100 * j;
        }
    for (int i = 0; i < 3; i++)
        cudaMallocPitch(&d[i], &pitch, sizeof a[0], ROWS);
    cudaMemcpy2D(d[0], pitch, a, sizeof a[0], sizeof a[0], ROWS, cudaMemcpyHostToDevice);
    cudaMemcpy2D(d[1], pitch, b, sizeof b[0], sizeof b[0], ROWS, cudaMemcpyHostToDevice);
    dim3 block(16, 8);
    dim3 grid((COLS + block.x - 1) / block.x, (ROWS + block.y - 1) / block.y);
    add<<<grid, block>>>(d[0], d[1], d[2], pitch, ROWS, COLS);
    cudaMemcpy2D(c, sizeof c[0], d[2], pitch, sizeof c[0], ROWS, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            wrong += c[i][j] != i + 100 * j;
    printf("pitch %zu, grid %u x %u x %u, %d wrong\n", pitch, grid.x, grid.y, grid.z, wrong);
    return 0;
}
