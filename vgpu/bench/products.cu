// products.cu: three textbook products, timed on the virtual GPU. bench prints what this prints.
//
//   products naive|tiled16|tiled32 N   one line: kernel, n, seconds, million multiply-adds a second
//
// The time is the launch's, without compilation, copies or checks of the result; the result is
// checked (small integers: exactly) in one row. A warm-up launch comes first.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

__global__ void naive(int n, const float *A, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int p = 0; p < n; ++p)
        sum += A[row * n + p] * B[p * n + col];
    C[row * n + col] = sum;
}

template <int TILE> __global__ void tiled(int n, const float *A, const float *B, float *C) {
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int tile = 0; tile < n; tile += TILE) {
        a[y][x] = A[row * n + tile + x];
        b[y][x] = B[(tile + y) * n + col];
        __syncthreads();
        for (int p = 0; p < TILE; ++p)
            sum += a[y][p] * b[p][x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

static void launch(const char *which, int n, const float *A, const float *B, float *C) {
    int tile = strcmp(which, "tiled32") == 0 ? 32 : 16;
    dim3 grid(n / tile, n / tile), block(tile, tile);
    if (strcmp(which, "naive") == 0)
        naive<<<grid, block>>>(n, A, B, C);
    else if (tile == 16)
        tiled<16><<<grid, block>>>(n, A, B, C);
    else
        tiled<32><<<grid, block>>>(n, A, B, C);
}

static double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
    int n = argc == 3 ? atoi(argv[2]) : 0;
    if (n < 32 || n % 32 != 0) {
        fprintf(stderr, "usage: products naive|tiled16|tiled32 N (a multiple of 32)\n");
        return 2;
    }
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes),
          *row = (float *)malloc(n * sizeof(float));
    float *A, *B, *C;
    for (size_t i = 0; i < count; ++i) {
        a[i] = (float)((i * 7 + i / n) % 17) - 8;
        b[i] = (float)((i * 5 + i / n) % 13) - 6;
    }
    cudaMalloc(&A, bytes);
    cudaMalloc(&B, bytes);
    cudaMalloc(&C, bytes);
    cudaMemcpy(A, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(B, b, bytes, cudaMemcpyHostToDevice);
    launch(argv[1], 32, A, B, C);
    double start = now();
    launch(argv[1], n, A, B, C);
    cudaDeviceSynchronize();
    double seconds = now() - start;
    const int r = n - 1;
    if (cudaMemcpy(row, C + (size_t)r * n, n * sizeof(float), cudaMemcpyDeviceToHost) !=
        cudaSuccess)
        return 1;
    for (int j = 0; j < n; ++j) {
        float sum = 0.0f;
        for (int p = 0; p < n; ++p)
            sum += a[(size_t)r * n + p] * b[(size_t)p * n + j];
        if (row[j] != sum) {
            fprintf(stderr, "wrong product at (%d,%d): %g, not %g\n", r, j, row[j], sum);
            return 1;
        }
    }
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    printf("%s\t%d\t%.4f\t%.1f\n", argv[1], n, seconds, 1e-6 * n * n * n / seconds);
    return 0;
}
