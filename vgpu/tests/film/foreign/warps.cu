// Lanes that exchange, vote and count; a scan by warps; atomics in both memories.
#include <cstdio>
__global__ void scan(unsigned *out, unsigned *all, const unsigned *in) {
    __shared__ unsigned sums[4], seen;
    unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    unsigned value = in[threadIdx.x], mine = value;
    if (threadIdx.x == 0)
        seen = 0;
    __syncthreads();
    for (unsigned by = 1; by < 32; by <<= 1) {
        unsigned left = __shfl_up_sync(~0u, value, by);
        if (lane >= by)
            value += left;
    }
    unsigned odd = __popc(__ballot_sync(~0u, mine & 1));
    if (lane == 31)
        sums[warp] = value;
    if (lane == 0)
        atomicAdd(&seen, odd);
    __syncthreads();
    unsigned before = 0;
    for (unsigned w = 0; w < warp; w++)
        before += sums[w];
    value += before;
    out[threadIdx.x] = value - mine + seen;
    atomicMax(all, value);
}
int main() {
    unsigned h[128], *d[3];
    for (int i = 0; i < 128; i++) h[i] = i * 29 % 31;
    for (int i = 0; i < 3; i++) { cudaMalloc(&d[i], sizeof h); cudaMemcpy(d[i], h, sizeof h, cudaMemcpyHostToDevice); }
    scan<<<1, 128>>>(d[1], d[2], d[0]);
    cudaDeviceSynchronize();
}
