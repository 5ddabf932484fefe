// Races in shared memory, one kernel for each kind.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
// run: 7
// run: 8
// run: 9
#include <stdlib.h>

__global__ void no_first_barrier(const float *in, float *out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void no_second_barrier(const float *in, float *out) {
    __shared__ float tile[64];
    float sum = 0;
    for (int phase = 0; phase < 3; phase++) {
        tile[threadIdx.x] = in[64 * phase + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

__global__ void one_element(float *out) {
    __shared__ float last;
    last = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = last;
}

__global__ void same_flag(const float *in, float *out) {
    __shared__ int any;
    if (threadIdx.x == 0)
        any = 0;
    __syncthreads();
    if (in[threadIdx.x] > 10)
        any = 1;
    __syncthreads();
    out[threadIdx.x] = any;
}

__global__ void warp_in_step(const float *in, float *out) {
    __shared__ volatile float part[32];
    part[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 16)
        part[threadIdx.x] += part[threadIdx.x + 16];
    __syncwarp();
    out[threadIdx.x] = part[0];
}

__global__ void atomic_and_plain(float *out) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    out[threadIdx.x] = count;
}

__global__ void bytes_of_a_word(int *out) {
    __shared__ unsigned char bytes[64];
    bytes[threadIdx.x] = threadIdx.x; /* each its own */
    out[threadIdx.x] = bytes[threadIdx.x ^ 1];
}

__global__ void vectors(float *out) {
    __shared__ float4 four[16];
    if (threadIdx.x < 16)
        four[threadIdx.x] = make_float4(1, 2, 3, 4);
    const float *one = (const float *)four;
    out[threadIdx.x] = one[threadIdx.x];
}

__device__ void store(float *p, float value) {
    *p = value;
}

__global__ void generic(float *out, int shared) {
    __shared__ float local[64];
    float *p = shared ? local : out; /* a generic address */
    store(&p[threadIdx.x / 2], threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = p[threadIdx.x / 2];
}

int main(int argc, char **argv) {
    float *in, *out;
    cudaMalloc(&in, 192 * sizeof(float));
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMemset(in, 0x42, 192 * sizeof(float)); /* 48.56…: greater than 10 */
    cudaMemset(out, 0, 64 * sizeof(float));
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: no_first_barrier<<<1, 64>>>(in, out); break;
    case 2: no_second_barrier<<<1, 64>>>(in, out); break;
    case 3: one_element<<<1, 64>>>(out); break;
    case 4: same_flag<<<1, 64>>>(in, out); break;
    case 5: warp_in_step<<<1, 32>>>(in, out); break;
    case 6: atomic_and_plain<<<1, 64>>>(out); break;
    case 7: bytes_of_a_word<<<1, 64>>>((int *)out); break;
    case 8: vectors<<<1, 64>>>(out); break;
    case 9: generic<<<1, 64>>>(out, 1); break;
    }
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize();
}
