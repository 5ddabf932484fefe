// mistakes.cu N: kernels that each have a mistake, one without end.
#include <cstdio>
#include <cstdlib>

__global__ void over(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    if (i <= n)
        a[i + 1] = 1;
}

__global__ void race(int *out) {
    __shared__ int box[64];
    int i = threadIdx.x;
    box[i] = i;
    out[i] = box[63 - i];
}

__global__ void apart(int *out) {
    if (threadIdx.x < 40)
        __syncthreads();
    else
        while (*(volatile int *)out == 0)
            ;
    out[threadIdx.x] = 1;
}

__global__ void unset(int *out) {
    __shared__ int box[64];
    if (threadIdx.x > 3)
        box[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = box[threadIdx.x];
}

__global__ void missed(int *out) {
    if (threadIdx.x / 32 == 0)
        __syncthreads();
    out[threadIdx.x] = 1;
    if (threadIdx.x == 40)
        asm volatile("bar.sync 1, 64;");
}

__global__ void overlap(int *out) {
    const int i = 32 * blockIdx.x + threadIdx.x;
    out[i] = blockIdx.x;
    if (i < 32)
        printf("%d,", i);
    if (i == 31)
        printf("\n");
}

int main(int argc, char **argv) {
    int *out;
    const int which = argc > 1 ? atoi(argv[1]) : 0;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    if (which == 0)
        over<<<2, 32>>>((float *)out, 64);
    if (which == 1)
        race<<<1, 64>>>(out);
    if (which == 2)
        apart<<<1, 64>>>(out);
    if (which == 3)
        unset<<<1, 64>>>(out);
    if (which == 4)
        missed<<<1, 64>>>(out);
    if (which == 5)
        overlap<<<2, 48>>>(out);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}
