// scaling.cu: what a launch costs as its grid grows: `scaling` prints that.
//
//     scaling BLOCKS          one line: blocks, seconds, seconds of processor time
//
// Every block does the same: 256 threads sum 512 products out of a tile that they loaded.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <sys/resource.h>
#include <time.h>

__global__ void work(const float *in, float *out) {
    __shared__ float tile[512];
    const int i = threadIdx.x;
    tile[i] = in[i];
    tile[i + 256] = in[i + 256];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 512; k++)
        sum += tile[k] * tile[(k + i) % 512];
    out[blockIdx.x * blockDim.x + i] = sum;
}

static double wall() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double processor() {
    rusage r;
    getrusage(RUSAGE_SELF, &r);
    return r.ru_utime.tv_sec + r.ru_stime.tv_sec + 1e-6 * (r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

int main(int argc, char **argv) {
    const int blocks = argc == 2 ? atoi(argv[1]) : 0;
    if (blocks < 1) {
        fprintf(stderr, "usage: scaling BLOCKS\n");
        return 2;
    }
    float *in, *out, zeros[512] = {0};
    cudaMalloc(&in, sizeof zeros);
    cudaMalloc(&out, (size_t)blocks * 256 * sizeof(float));
    cudaMemcpy(in, zeros, sizeof zeros, cudaMemcpyHostToDevice);
    work<<<1, 256>>>(in, out); // what comes once: PTX, threads
    cudaDeviceSynchronize();
    const double w = wall(), p = processor();
    work<<<blocks, 256>>>(in, out);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d\t%.4f\t%.4f\n", blocks, wall() - w, processor() - p);
    cudaFree(in);
    cudaFree(out);
    return error != cudaSuccess;
}
