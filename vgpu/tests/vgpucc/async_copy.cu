// A tiled product that copies the next tile while it computes with this one, in two ways.
// The primitives of cuda_pipeline.h, and cp.async as assembly; partial and absent sources give zeros.
#include <cstdio>
#include <cuda_pipeline.h>

const int TILE = 16;

__device__ void fetch(float (*tile)[TILE], const float *M, int n, int row, int col) {
    __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &M[(row + threadIdx.y) * n + col + threadIdx.x],
                            sizeof(float));
}

__global__ void pipelined(const float *A, const float *B, float *C, int n) {
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    float sum = 0.0f;
    fetch(As[0], A, n, row, 0);
    fetch(Bs[0], B, n, 0, col);
    __pipeline_commit();
    for (int t = 0; t < n / TILE; ++t) {
        const int now = t % 2, next = 1 - now;
        if (t + 1 < n / TILE) {
            fetch(As[next], A, n, row, (t + 1) * TILE);
            fetch(Bs[next], B, n, (t + 1) * TILE, col);
        }
        __pipeline_commit(); // an empty group at the end: the count stays right
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[now][threadIdx.y][k] * Bs[now][k][threadIdx.x];
        __syncthreads();
    }
    C[(row + threadIdx.y) * n + col + threadIdx.x] = sum;
}

// 16 bytes a thread; lane 1 asks for half of them, lane 2 for none, from nowhere.
__global__ void parts(const int *from, int *to) {
    __shared__ int tile[32 * 4];
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[4 * threadIdx.x]);
    const int bytes = threadIdx.x == 1 ? 8 : threadIdx.x == 2 ? 0 : 16;
    const int *source = threadIdx.x == 2 ? nullptr : from + 4 * threadIdx.x;
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(at), "l"(source), "r"(bytes) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (int i = 0; i < 4; ++i)
        to[4 * threadIdx.x + i] = tile[4 * threadIdx.x + i];
}

int main() {
    const int n = 64;
    float *A, *B, *C;
    cudaMallocManaged(&A, n * n * sizeof(float));
    cudaMallocManaged(&B, n * n * sizeof(float));
    cudaMallocManaged(&C, n * n * sizeof(float));
    for (int i = 0; i < n * n; ++i) {
        A[i] = i % 7 - 3;
        B[i] = i % 5 - 2;
    }
    pipelined<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(A, B, C, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0.0f;
            for (int k = 0; k < n; ++k)
                sum += A[i * n + k] * B[k * n + j];
            wrong += sum != C[i * n + j];
        }
    printf("wrong: %d\n", wrong);
    int *from, *to;
    cudaMallocManaged(&from, 128 * sizeof(int));
    cudaMallocManaged(&to, 128 * sizeof(int));
    for (int i = 0; i < 128; ++i)
        from[i] = 100 + i;
    parts<<<1, 32>>>(from, to);
    printf("%s:", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 16; ++i)
        printf(" %d", to[i]);
    printf("\n");
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    cudaFree(from);
    cudaFree(to);
}
