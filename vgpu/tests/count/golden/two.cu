// The source that two.json counts; kept short on purpose.
#include <cuda_runtime.h>

__global__ void transposed(int n, const float *A, float *B) {
    __shared__ float tile[32][32]; // rows of 32 words: every column lies in one bank
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = A[y * n + x];

    __syncthreads();

    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    // This line is longer than any terminal that people use, with ∑ and	a tab in it, so that the view has to cut it somewhere.
    B[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void strided(int n, const float *A, float *B) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0)
        B[i] = A[i * n % (n * n)] / 3.0f;
    else
        B[i] = 0.0f;
}

int main() {
    const int n = 64;
    float *A, *B;
    cudaMalloc(&A, n * n * sizeof(float));
    cudaMalloc(&B, n * n * sizeof(float));
    cudaMemset(A, 0, n * n * sizeof(float));
    for (int i = 0; i < 3; ++i)
        transposed<<<dim3(2, 2), dim3(32, 32)>>>(n, A, B);
    strided<<<16, 256>>>(n, A, B);
    cudaDeviceSynchronize();
}
