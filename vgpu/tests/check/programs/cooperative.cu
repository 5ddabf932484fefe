// Cooperative launches: what grid.sync() orders, and what it does not.
// run: steps
// run: no_sync
// run: once
// run: same
// run: shared
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

const int BLOCKS = 4, THREADS = 128, N = BLOCKS * THREADS;

// Each step needs all of the one before. Step `without` is followed by no grid.sync().
__global__ void smooth(int *a, int *b, int steps, int without) {
    cg::grid_group grid = cg::this_grid();
    const int i = (int)grid.thread_rank();
    for (int s = 0; s < steps; s++) {
        b[i] = a[i] + a[(i + THREADS) % N];
        if (s != without)
            grid.sync();
        int *t = a;
        a = b;
        b = t;
    }
}

// Blocks add up in shared memory, hand their sums over, and one of them adds those.
__global__ void sums(const int *in, int *part, int *out) {
    __shared__ int own[THREADS];
    cg::grid_group grid = cg::this_grid();
    own[threadIdx.x] = in[grid.thread_rank()];
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            own[threadIdx.x] += own[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        part[blockIdx.x] = own[0];
    grid.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int k = 0; k < BLOCKS; k++)
            out[0] = k == 0 ? part[0] : out[0] + part[k];
    own[threadIdx.x] = 0; // every thread's own element again
    grid.sync();
    if (grid.thread_rank() == N - 1)
        out[1] = out[0];
}

// All blocks write one element, before and after they have waited.
__global__ void same_element(int *out) {
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0)
        out[0] = blockIdx.x;
    grid.sync();
    if (threadIdx.x == 0 && blockIdx.x == 1)
        out[0] = 7;
    grid.sync();
    if (threadIdx.x == 0)
        atomicAdd(&out[1], out[0]);
}

// In a block, a barrier is missing as well as anywhere else.
__global__ void turned(int *out) {
    __shared__ int own[THREADS];
    cg::grid_group grid = cg::this_grid();
    own[threadIdx.x] = threadIdx.x;
    grid.sync();
    out[grid.thread_rank()] = own[THREADS - 1 - threadIdx.x];
    own[threadIdx.x] = 1;
}

static void launch(const void *kernel, void **args) {
    cudaLaunchCooperativeKernel(kernel, dim3(BLOCKS), dim3(THREADS), args);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

int main(int count, char **words) {
    int *a, *b, *c, steps = 3, without = -1, out[2];
    const char *what = count > 1 ? words[1] : "";
    cudaMalloc(&a, N * sizeof(int));
    cudaMalloc(&b, N * sizeof(int));
    cudaMalloc(&c, 2 * sizeof(int));
    cudaMemset(a, 0, N * sizeof(int));
    cudaMemset(b, 0, N * sizeof(int));
    cudaMemset(c, 0, 2 * sizeof(int));
    void *of_smooth[] = {&a, &b, &steps, &without}, *of_sums[] = {&a, &b, &c}, *of_same[] = {&c}, *of_turned[] = {&a};
    if (strcmp(what, "steps") == 0) {
        launch((void *)smooth, of_smooth);
        launch((void *)sums, of_sums);
        cudaMemcpy(out, c, sizeof out, cudaMemcpyDeviceToHost);
        printf("%d\n", out[1]);
    } else if (strcmp(what, "no_sync") == 0) {
        without = 0;
        steps = 2;
        launch((void *)smooth, of_smooth);
    } else if (strcmp(what, "once") == 0) {
        steps = 5;
        without = 2;
        launch((void *)smooth, of_smooth);
    } else if (strcmp(what, "same") == 0) {
        launch((void *)same_element, of_same);
    } else {
        launch((void *)turned, of_turned);
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
