// env: VGPU_BACKWARDS=1 VGPU_WORKERS=1
// The last block begins first. What is right in any order is right in this one, too.
#include <cstdio>

__device__ int next;
__global__ void turns(int *turn, int *square) {
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    turn[block] = atomicAdd(&next, 1);
    square[block] = block * block;
    printf("block %d\n", block);
}

int main() {
    int *turn, *square;
    cudaMallocManaged(&turn, 6 * sizeof *turn);
    cudaMallocManaged(&square, 6 * sizeof *square);
    turns<<<dim3(3, 2), 1>>>(turn, square);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 6; i++)
        printf("%d:%d ", turn[i], square[i]);
    printf("\n");
    cudaFree(turn);
    cudaFree(square);
}
