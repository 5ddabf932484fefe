// tiled.cu: a product of matrices in tiles, right: what the debugger shows of it is known.
#include <cstdio>

constexpr int TILE = 4;

struct spot {
    int row, col;
    float seen[2];
};

__device__ float dot(const float *a, const float *b) {
    float sum = 0;
    for (int k = 0; k < TILE; k++)
        sum += a[k] * b[k * TILE];
    return sum;
}

__global__ void tiled(const float *A, const float *B, float *C, int n) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    spot s;
    s.row = blockIdx.y * TILE + ty;
    s.col = blockIdx.x * TILE + tx;
    s.seen[0] = s.seen[1] = -1;
    float sum = 0;
    for (int p = 0; p < n / TILE; p++) {
        As[ty][tx] = A[s.row * n + p * TILE + tx];
        Bs[ty][tx] = B[(p * TILE + ty) * n + s.col];
        __syncthreads();
        sum += dot(As[ty], &Bs[0][tx]);
        s.seen[p] = sum;
        __syncthreads();
    }
    C[s.row * n + s.col] = sum;
}

int main() {
    const int n = 8;
    float *A, *B, *C;
    cudaMallocManaged(&A, n * n * sizeof(float));
    cudaMallocManaged(&B, n * n * sizeof(float));
    cudaMallocManaged(&C, n * n * sizeof(float));
    for (int i = 0; i < n * n; i++) {
        A[i] = i;
        B[i] = i % n == i / n;
    }
    tiled<<<dim3(2, 2), dim3(TILE, TILE)>>>(A, B, C, n);
    cudaDeviceSynchronize();
    printf("C[9] = %g\n", C[9]);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    return 0;
}
