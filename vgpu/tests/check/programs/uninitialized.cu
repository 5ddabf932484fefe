// Reads of what nobody has written, and reads that only look so.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
// run: 7
// run: 8
#include <stdio.h>
#include <stdlib.h>

__device__ float zeros[64];

__global__ void add_to(float *c, const float *a) {
    c[threadIdx.x] += a[threadIdx.x];
}

__global__ void partly(float *out, int n) {
    __shared__ float row[64];
    if (threadIdx.x < n)
        row[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = row[63 - threadIdx.x];
}

__global__ void count(int *counter) {
    atomicAdd(counter, 1);
}

__global__ void padding(char *out) {
    __shared__ char text[64];
    text[threadIdx.x * 2] = 'x';
    __syncthreads();
    if (threadIdx.x == 5)
        out[0] = text[11];
}

__global__ void copy(float *to, const float *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i] + zeros[i % 64];
}

/* Each block makes its counter first. */
__global__ void own_counter(int *counter) {
    if (threadIdx.x == 0)
        counter[blockIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counter[blockIdx.x], 1);
}

/* A block may or may not see what the next one writes: a race, told as such and as nothing else. */
__global__ void next_block(int *x, int *out) {
    x[blockIdx.x] = 1;
    out[blockIdx.x] = x[(blockIdx.x + 1) % gridDim.x];
}

int main(int argc, char **argv) {
    static float host[4096];
    float *a, *c, *pinned, *managed;
    size_t pitch;
    cudaMalloc(&a, 256);
    cudaMalloc(&c, 4096);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: /* + = on fresh memory */
        cudaMemset(a, 0, 256);
        add_to<<<1, 64>>>(c, a);
        break;
    case 2: partly<<<1, 64>>>(c, 40); break;
    case 3: count<<<4, 32>>>((int *)c); break;
    case 4: padding<<<1, 32>>>((char *)c); break;
    case 5: /* half of it copied */
        cudaMemcpy(a, host, 128, cudaMemcpyHostToDevice);
        copy<<<2, 32>>>(c, a, 64);
        break;
    case 6: /* all is well: written by copies, memsets, the host, earlier kernels */
        cudaMemcpy(a, host, 256, cudaMemcpyHostToDevice);
        copy<<<2, 32>>>(c, a, 64);
        copy<<<2, 32>>>(c + 64, c, 64);
        cudaMemcpy(c + 128, c, 256, cudaMemcpyDeviceToDevice);
        copy<<<2, 32>>>(a, c + 128, 64);
        cudaFree(a);
        cudaMallocPitch(&a, &pitch, 40, 4);
        cudaMemcpy2D(a, pitch, host, 40, 40, 4, cudaMemcpyHostToDevice);
        copy<<<1, 32>>>(c, a + pitch / 4, 10);
        cudaMallocHost(&pinned, 256);
        cudaMallocManaged(&managed, 256);
        memset(managed, 0, 256);
        copy<<<2, 32>>>(c, pinned, 64);
        copy<<<2, 32>>>(c, managed, 64);
        cudaDeviceSynchronize();
        cudaFreeHost(pinned);
        cudaFree(managed);
        break;
    case 7: own_counter<<<8, 64>>>((int *)c); break;
    case 8: next_block<<<64, 1>>>((int *)c, (int *)c + 512); break;
    }
    cudaFree(a);
    cudaFree(c);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
