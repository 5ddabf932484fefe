// types.cu: memories of structs, of small and large numbers, and of no type that is known.
#include <cuda_runtime.h>
struct Item {
    int key;
    float value[2];
};
struct Bits {
    unsigned low : 4, high : 28;
    int rest;
};
__device__ int counter = 5;
extern __shared__ int box[];
__global__ void types(Item *items, const short2 *pairs, long long *wide, bool *flags, void *raw) {
    __shared__ Item tile[2][16];
    int t = threadIdx.x;
    signed char small = (signed char)-t;
    unsigned char large = (unsigned char)(255 - t);
    Bits bits;
    bits.low = 3;
    bits.rest = 7;
    tile[t / 16][t % 16].key = small;
    tile[t / 16][t % 16].value[0] = 0.5f;
    tile[t / 16][t % 16].value[1] = (float)large;
    box[t] = pairs[t].y;
    __syncthreads();
    items[t] = tile[1 - t / 16][t % 16];
    wide[t] = (long long)box[31 - t] << 33;
    flags[t] = bits.rest == 7;
    float *real = (float *)raw;
    real[t] = 1.0f;
    wide[t] += (int)real[t] + ((int *)raw)[t];
    if (t == 0)
        counter += 1;
}
int main() {
    Item *items;
    short2 *pairs;
    long long *wide;
    bool *flags;
    void *raw;
    cudaMalloc(&items, 32 * sizeof *items);
    cudaMalloc(&pairs, 32 * sizeof *pairs);
    cudaMalloc(&wide, 32 * sizeof *wide);
    cudaMalloc(&flags, 32);
    cudaMalloc(&raw, 128);
    cudaMemset(pairs, 0xFE, 32 * sizeof *pairs);
    cudaMemset(raw, 0, 128);
    types<<<1, 32, 128>>>(items, pairs, wide, flags, raw);
    cudaDeviceSynchronize();
    cudaFree(raw);
    cudaFree(flags);
    cudaFree(wide);
    cudaFree(pairs);
    cudaFree(items);
    return 0;
}
