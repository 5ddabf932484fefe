// What is found when a copy is not waited for, waited for too late, or refilled too early.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void never_waits(const float *in, float *out) {
    __shared__ float tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void waits_behind_the_barrier(const float *in, float *out) {
    __shared__ float tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void waits_for_too_few(const float *in, float *out) {
    __shared__ float tile[2][64];
    for (int i = 0; i < 2; ++i) {
        __pipeline_memcpy_async(&tile[i][threadIdx.x], &in[threadIdx.x], 4);
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[threadIdx.x] = tile[0][63 - threadIdx.x] + tile[1][63 - threadIdx.x];
}

__global__ void refills_too_early(const float *in, float *out) {
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int i = 0; i < 2; ++i) {
        __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

__global__ void refills_what_is_read(const float *in, float *out) {
    __shared__ float tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

__global__ void commits_too_few(const float *in, float *out) {
    __shared__ float tile[2][64];
    float sum = 0.0f;
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    for (int i = 0; i < 2; ++i) {
        if (i + 1 < 2) {
            __pipeline_memcpy_async(&tile[i + 1][threadIdx.x], &in[threadIdx.x], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(1); // the second time, the only group there is may stay
        __syncthreads();
        sum += tile[i][63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

__global__ void never_commits(const float *in, float *out) {
    __shared__ float tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void misaligned(const float *in, float *out) {
    __shared__ float tile[64];
    if (threadIdx.x < 8)
        __pipeline_memcpy_async(&tile[4 * threadIdx.x], &in[4 * threadIdx.x + 1], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = 0.0f;
}

int main() {
    float *in, *out;
    void (*kernels[])(const float *, float *) = {
        never_waits,          waits_behind_the_barrier, waits_for_too_few, refills_too_early,
        refills_what_is_read, commits_too_few,          never_commits,     misaligned};
    cudaMallocManaged(&in, 65 * sizeof(float));
    cudaMallocManaged(&out, 64 * sizeof(float));
    for (int i = 0; i < 65; ++i)
        in[i] = 1.0f + i;
    for (auto kernel : kernels) {
        kernel<<<1, 64>>>(in, out);
        const cudaError_t error = cudaDeviceSynchronize();
        printf("%s: %g %g\n", cudaGetErrorString(error), out[0], out[63]);
        fflush(stdout);
    }
}
