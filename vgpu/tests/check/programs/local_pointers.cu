// Pointers to local variables: one that another thread follows, and ones that are right.
// run: 1
// run: 2
// run: 3
#include <stdlib.h>

struct list {
    int *first;
    int count;
};

/* Each thread finds its own variable at the first one's address. */
__global__ void lends(int *out) {
    __shared__ int *shared;
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[i] = out[i] + threadIdx.x;
    if (threadIdx.x == 0)
        shared = mine;
    __syncthreads();
    out[32 + threadIdx.x] = shared[threadIdx.x % 4] + mine[out[0] & 3];
}

/* The same by global memory, and by another block. */
__global__ void lends_to_block(list *lists, int *ready, int *out) {
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[i] = out[i] + blockIdx.x;
    if (blockIdx.x == 0) {
        lists[0].first = mine;
        lists[0].count = mine[out[0] & 3];
        __threadfence();
        atomicExch(ready, 1);
    } else {
        while (atomicAdd(ready, 0) == 0) {
        }
        __threadfence();
        out[4] = lists[0].first[out[1] & 3] + mine[out[0] & 3];
    }
}

/* Its own, from its own place; and one that was overwritten with a pointer for all. */
__global__ void keeps(int *out) {
    __shared__ int *own[32], *common;
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[i] = out[i] + threadIdx.x;
    own[threadIdx.x] = mine;
    if (threadIdx.x == 0) {
        *(int *volatile *)&common = mine;
        *(int *volatile *)&common = out;
    }
    __syncthreads();
    out[64 + threadIdx.x] = own[threadIdx.x][out[0] & 3] + common[1] + mine[out[1] & 3];
}

int main(int argc, char **argv) {
    int *out;
    cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: lends<<<1, 32>>>(out); break;
    case 2: lends_to_block<<<2, 1>>>((list *)(out + 32), out + 64, out); break;
    case 3: keeps<<<1, 32>>>(out); break;
    }
    cudaFree(out);
    return cudaDeviceSynchronize();
}
