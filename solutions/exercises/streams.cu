// Exercise "streams": all four arguments of a launch, <<<grid, block, bytes, stream>>>.
//
// The third is shared memory whose size is known only when the program runs. The kernel names it
// with `extern __shared__`. The fourth is a stream, a queue of work: what is in one queue happens
// in order, two queues may run side by side. Copies into a stream return before they are done.
//
// Build and run: make exercise-streams

#include "exercise.h"

enum { PIECE = 192, PIECES = 32, HALF = PIECE * PIECES };

// Turns each block's piece of the numbers around, by way of shared memory. A piece has blockDim.x
// numbers.
__global__ void turn_around(float *numbers) {
    // TODO 1: Declare `line`, an array of float in shared memory, with extern and without a size.
    // BEGIN SOLUTION
    extern __shared__ float line[];
    // END SOLUTION

    // TODO 2: Each thread puts its number into line, waits for all others, and takes the number
    // from the other end.
    // BEGIN SOLUTION
    float *piece = numbers + blockIdx.x * blockDim.x;
    line[threadIdx.x] = piece[threadIdx.x];
    __syncthreads();
    piece[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
    // SKELETON: (void)numbers; // delete this line
    // END SOLUTION
}

int main() {
    float *host, *device; // pinned memory of the host: only from there a copy goes on by itself
    CUDA_CHECK(cudaMallocHost((void **)&host, 2 * HALF * sizeof *host));
    CUDA_CHECK(cudaMalloc((void **)&device, 2 * HALF * sizeof *device));
    for (int i = 0; i < 2 * HALF; ++i)
        host[i] = (float)i;
    cudaStream_t stream[2];
    for (int s = 0; s < 2; ++s)
        CUDA_CHECK(cudaStreamCreate(&stream[s]));

    for (int s = 0; s < 2; ++s) {
        float *from = host + s * HALF, *to = device + s * HALF;
        // TODO 3: In stream[s], copy HALF numbers to the device (cudaMemcpyAsync), launch the
        // kernel with PIECES blocks of PIECE threads and as much shared memory as they need, in
        // bytes, and copy the numbers back.
        // BEGIN SOLUTION
        CUDA_CHECK(cudaMemcpyAsync(to, from, HALF * sizeof *to, cudaMemcpyHostToDevice, stream[s]));
        turn_around<<<PIECES, PIECE, PIECE * sizeof *to, stream[s]>>>(to);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(
            cudaMemcpyAsync(from, to, HALF * sizeof *to, cudaMemcpyDeviceToHost, stream[s]));
        // SKELETON: (void)from, (void)to; // delete this line
        // END SOLUTION
    }
    // TODO 4: Wait for both streams before the host reads the numbers (cudaStreamSynchronize).
    // BEGIN SOLUTION
    CUDA_CHECK(cudaStreamSynchronize(stream[0]));
    CUDA_CHECK(cudaStreamSynchronize(stream[1]));
    // END SOLUTION

    int wrong = 0;
    for (int i = 0; i < 2 * HALF; ++i)
        wrong += host[i] != (float)(i / PIECE * PIECE + PIECE - 1 - i % PIECE);
    printf("  %d numbers in %d pieces, two streams: %d at the wrong place\n", 2 * HALF, 2 * PIECES,
           wrong);
    expect(wrong == 0, "the first piece begins with %g and ends with %g", host[0], host[PIECE - 1]);
    for (int s = 0; s < 2; ++s)
        CUDA_CHECK(cudaStreamDestroy(stream[s]));
    CUDA_CHECK(cudaFree(device));
    CUDA_CHECK(cudaFreeHost(host));
    return verdict();
}
