// Races in global memory: between blocks, and within one.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
// run: 7
// run: 8
// run: 9
// run: 10
// run: 11
#include <stdlib.h>

__device__ int found;

__global__ void same_element(int *out) {
    out[threadIdx.x] = blockIdx.x; /* the block's own part is forgotten */
}

__global__ void same_value(const int *in) {
    if (in[blockIdx.x * 64 + threadIdx.x] == 0)
        found = 1;
}

__global__ void sum_without_atomics(int *sum) {
    if (threadIdx.x == 0)
        *sum += blockIdx.x;
}

__global__ void neighbours_in_place(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        x[i] = x[i + 1] + 1;
}

__global__ void counts_and_looks(int *count, int *out) {
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        out[blockIdx.x] = *count;
    }
}

__global__ void within_block(int *x) {
    x[threadIdx.x] = threadIdx.x;
    x[64 + threadIdx.x] = x[63 - threadIdx.x];
}

__global__ void characters(char *text) {
    text[blockIdx.x + threadIdx.x] = 'a' + blockIdx.x; /* one character too far */
}

__global__ void pairs(int *x) {
    int2 *two = (int2 *)x;
    if (blockIdx.x == 0)
        two[threadIdx.x] = make_int2(1, 2);
    else
        x[2 * threadIdx.x + 1] = 7;
}

/* Without a __threadfence() an atomic orders nothing but itself. */
__global__ void no_fence(volatile int *part, int *count, int *out) {
    part[blockIdx.x] = blockIdx.x;
    atomicAdd(count, 1);
    out[blockIdx.x] = part[(blockIdx.x + 1) % gridDim.x];
}

/* The reader's fence does not do for the one that the writer lacks. */
__global__ void fence_on_one_side(int *data, volatile int *flag, int *out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0)
            *flag = 1;
    } else {
        if (threadIdx.x == 0) {
            while (*flag == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x];
    }
}

/* Nor does one in front of the data. */
__global__ void fence_too_early(int *part, int *count, int *out) {
    __threadfence();
    part[blockIdx.x] = blockIdx.x;
    atomicAdd(count, 1);
    if (blockIdx.x == gridDim.x - 1) {
        while (atomicAdd(count, 0) < gridDim.x) {
        }
        *out = part[0] + part[1];
    }
}

int main(int argc, char **argv) {
    int *x, *out;
    cudaMalloc(&x, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(x, 0, 4096);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: same_element<<<8, 64>>>(out); break;
    case 2: same_value<<<8, 64>>>(x); break;
    case 3: sum_without_atomics<<<8, 64>>>(x); break;
    case 4: neighbours_in_place<<<8, 64>>>(x, 512); break;
    case 5: counts_and_looks<<<8, 64>>>(x, out); break;
    case 6: within_block<<<1, 64>>>(x); break;
    case 7: characters<<<3, 2>>>((char *)out); break;
    case 9: no_fence<<<8, 1>>>(out + 64, x, out); break;
    case 10: fence_on_one_side<<<2, 64>>>(x + 64, x, out); break;
    case 11: fence_too_early<<<8, 1>>>(x + 64, x, out); break;
    case 8: pairs<<<2, 64>>>(out); break;
    }
    cudaFree(x);
    cudaFree(out);
    return cudaDeviceSynchronize();
}
