// who.cu: which thread has which place? Every thread of a 2 x 2 grid of blocks of 4 x 3 threads writes
// its block's and its own index into a matrix of 5 rows and 7 columns; the host prints the matrix.
//
//     build/bin/vgpucc handouts/examples/who.cu -o who && ./who

#include <cstdio>
#include <cuda_runtime.h>

#define ROWS 5 // of the matrix
#define COLS 7
#define WIDE 4 // a block, in threads
#define HIGH 3

struct Place {
    int block_x, block_y, thread_x, thread_y;
};

__global__ void sign(Place *places) {
    int col = blockIdx.x * WIDE + threadIdx.x; // the blocks to the left, then my place
    int row = blockIdx.y * HIGH + threadIdx.y;
    if (row >= ROWS || col >= COLS)
        return; // this thread has no place in the matrix
    places[row * COLS + col] = {(int)blockIdx.x, (int)blockIdx.y, (int)threadIdx.x, (int)threadIdx.y};
}

int main() {
    Place places[ROWS * COLS], *device_places;
    if (cudaMalloc((void **)&device_places, sizeof places) != cudaSuccess)
        return 1;

    dim3 block(WIDE, HIGH); // and 1 along z
    dim3 grid((COLS - 1) / WIDE + 1, (ROWS - 1) / HIGH + 1); // rounded up: 2 x 2 blocks
    sign<<<grid, block>>>(device_places);

    if (cudaMemcpy(places, device_places, sizeof places, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    printf("block:thread, each as (x,y)\n");
    for (int row = 0; row < ROWS; ++row) {
        for (int col = 0; col < COLS; ++col) {
            Place p = places[row * COLS + col];
            printf("  %d,%d:%d,%d", p.block_x, p.block_y, p.thread_x, p.thread_y);
        }
        printf("\n");
    }
    cudaFree(device_places);
    return 0;
}
