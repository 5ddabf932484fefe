// Six mistakes that give right products on a real GPU, as measured. Each must be found here.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
// run: 0
#include <stdio.h>
#include <stdlib.h>

#define TILE 16

// bug: which of the mistakes this kernel makes
template <int bug>
__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float As[bug == 2 ? TILE - 1 : TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int p = 0; p < (k + TILE - 1) / TILE; p++) {
        int i = p * TILE + x, j = p * TILE + y;
        if (bug == 3) {
            As[y][x] = A[(size_t)row * k + i];
            Bs[y][x] = B[(size_t)j * n + col];
        } else if (bug == 4) {
            if (row < m && i < k)
                As[y][x] = A[(size_t)row * k + i];
            if (j < k && col < n)
                Bs[y][x] = B[(size_t)j * n + col];
        } else {
            As[y][x] = row < m && i < k ? A[(size_t)row * k + i] : 0;
            Bs[y][x] = j < k && col < n ? B[(size_t)j * n + col] : 0;
        }
        __syncthreads();
        for (int e = 0; e < TILE; e++)
            sum += As[y][e] * Bs[e][x];
        if (bug != 1)
            __syncthreads();
    }
    if (row < m && col < n) {
        if (bug == 6)
            C[(size_t)row * n + col] += sum;
        else
            C[(size_t)row * n + col] = sum;
    }
}

int main(int argc, char **argv) {
    int m = 40, n = 36, k = 48, bug = argc > 1 ? atoi(argv[1]) : 0;
    float *host = (float *)calloc(m * k + k * n, sizeof(float)), *A, *B, *C;
    cudaMalloc(&A, m * k * sizeof(float));
    cudaMalloc(&B, k * n * sizeof(float));
    cudaMalloc(&C, m * n * sizeof(float));
    cudaMemcpy(A, host, m * k * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(B, host, k * n * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    switch (bug) {
    case 0: multiply<0><<<grid, block>>>(m, n, k, A, B, C); break;
    case 1: multiply<1><<<grid, block>>>(m, n, k, A, B, C); break;
    case 2: multiply<2><<<grid, block>>>(m, n, k, A, B, C); break;
    case 3: multiply<3><<<grid, block>>>(m, n, k, A, B, C); break;
    case 4: multiply<4><<<grid, block>>>(m, n, k, A, B, C); break;
    case 5:
        cudaFree(B);
        multiply<0><<<grid, block>>>(m, n, k, A, B, C);
        break;
    case 6: multiply<6><<<grid, block>>>(m, n, k, A, B, C); break;
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(A);
    if (bug != 5)
        cudaFree(B);
    cudaFree(C);
    free(host);
    return 0;
}
