// only: clang
// What cuRAND's functions do inside is told at the line that calls them.
#include <curand_kernel.h>
#include <stdio.h>

__global__ void not_begun(curandState *states, float *out) {
    out[threadIdx.x] = curand_normal(&states[threadIdx.x]); // told
}

__global__ void all_of_one(curandStatePhilox4_32_10_t *states, float *out) {
    if (threadIdx.x == 0)
        curand_init(1, 0, 0, states);
    __syncthreads();
    out[threadIdx.x] = curand_uniform(&states[0]); // told
}

int main(void) {
    curandState *states;
    float *out;
    cudaMalloc(&states, 32 * sizeof(curandStatePhilox4_32_10_t));
    cudaMalloc(&out, 32 * sizeof *out);
    not_begun<<<1, 32>>>(states, out);
    all_of_one<<<1, 32>>>((curandStatePhilox4_32_10_t *)states, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
