// A tiled product with static shared memory, and the same with dynamic shared memory.
#include <stdio.h>
#include <vector>

const int TILE = 16;

__global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int p = 0; p < (n + TILE - 1) / TILE; p++) {
        int k = p * TILE;
        as[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0;
        bs[threadIdx.y][threadIdx.x] = col < n && k + threadIdx.y < n ? b[(k + threadIdx.y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}

extern __shared__ float buffer[];

__global__ void reverse(const float *in, float *out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        buffer[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = buffer[n - 1 - i];
}

int main() {
    const int n = 45;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    float *da, *db, *dc;
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 2;
    }
    cudaMalloc(&da, n * n * sizeof(float));
    cudaMalloc(&db, n * n * sizeof(float));
    cudaMalloc(&dc, n * n * sizeof(float));
    cudaMemcpy(da, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    product<<<grid, dim3(TILE, TILE)>>>(da, db, dc, n);
    cudaMemcpy(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            wrong += c[i * n + j] != sum;
        }
    printf("product: %d wrong\n", wrong);
    reverse<<<1, 64, n * n * sizeof(float)>>>(da, dc, n * n);
    cudaMemcpy(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    wrong = 0;
    for (int i = 0; i < n * n; i++)
        wrong += c[i] != a[n * n - 1 - i];
    printf("reverse: %d wrong, %s\n", wrong, cudaGetErrorName(cudaGetLastError()));
    return 0;
}
