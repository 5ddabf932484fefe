// Shared memory of a launch's size, cut into two arrays of two types.
#include <cstdio>
extern __shared__ float room[];
__global__ void sort_keys(int *out, const int *in, int n) {
    float *weight = room;
    int *key = (int *)&room[n];
    int t = threadIdx.x;
    key[t] = in[t];
    weight[t] = in[t] * 0.5f;
    __syncthreads();
    for (int size = 2; size <= n; size *= 2) {
        for (int gap = size / 2; gap > 0; gap /= 2) {
            int other = t ^ gap;
            int mine = key[t], theirs = key[other];
            bool up = (t & size) == 0;
            int low = mine < theirs ? mine : theirs, high = mine < theirs ? theirs : mine;
            __syncthreads();
            key[t] = (t < other) == up ? low : high;
            weight[t] += 1;
            __syncthreads();
        }
    }
    out[t] = key[t] + (int)weight[t];
}
int main() {
    int h[64], *d[2];
    for (int i = 0; i < 64; i++) h[i] = i * 37 % 64;
    for (int i = 0; i < 2; i++) { cudaMalloc(&d[i], sizeof h); cudaMemcpy(d[i], h, sizeof h, cudaMemcpyHostToDevice); }
    sort_keys<<<1, 64, 64 * 8>>>(d[1], d[0], 64);
    cudaDeviceSynchronize();
}
