// Compare-and-swap loops as programming guides write them, the load in front of the loop included: no race.
// A plain read of what others update atomically, and a swap of what others write plainly, are.
#include <cstdio>

// sums of doubles, for devices whose atomicAdd has none
__device__ double add(double *address, double value) {
    unsigned long long *word = (unsigned long long *)address;
    unsigned long long old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ float largest(float *address, float value) {
    int *word = (int *)address, old = *word;
    while (value > __int_as_float(old)) {
        const int assumed = old;
        old = atomicCAS(word, assumed, __float_as_int(value));
        if (old == assumed)
            break;
    }
    return __int_as_float(old);
}

__global__ void reduce(const float *in, int n, double *sum, float *most) {
    __shared__ double of_block;
    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        add(&of_block, in[i]);
        largest(most, in[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        add(sum, of_block);
}

__global__ void peek(int *count, int *seen) {
    atomicAdd(count, 1);
    if (threadIdx.x == 40)
        *seen = *count;
}

__global__ void clobber(int *flag) {
    if (threadIdx.x == 40)
        *flag = 7;
    if (threadIdx.x == 3)
        atomicCAS(flag, 0, 1);
}

int main() {
    const int n = 300;
    float *in, *most;
    double *sum;
    int *count;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&most, sizeof(float));
    cudaMallocManaged(&sum, sizeof(double));
    cudaMallocManaged(&count, 2 * sizeof(int));
    for (int i = 0; i < n; ++i)
        in[i] = i * 7 % 300;
    *most = -1;
    *sum = 0;
    count[0] = count[1] = 0;
    reduce<<<3, 64>>>(in, n, sum, most);
    printf("%s", cudaGetErrorString(cudaDeviceSynchronize())); printf(": %g %g\n", *sum, *most);
    fflush(stdout);
    peek<<<1, 64>>>(count, count + 1);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    fflush(stdout);
    count[0] = 0;
    clobber<<<1, 64>>>(count);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
