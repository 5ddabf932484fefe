// Integers divided by zero, and divisions that only look so.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void by_index(int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 100 / (i - 37);
}

__global__ void kinds(int *out, int i, unsigned u, long long l, unsigned long long m, short s) {
    if (threadIdx.x != 3)
        return;
    out[0] = 7 % i;
    out[1] = 7u / u;
    out[2] = (int)((1ll << 40) % l);
    out[3] = (int)((1ull << 40) / m);
    out[4] = (short)7 % s;
    out[5] = 5 / i + 5 % i;
}

/* The lanes with a divisor of zero take the other branch. */
__global__ void guarded(int *out) {
    const int i = threadIdx.x;
    out[i] = i % 5 != 0 ? 1000 / (i % 5) : 0;
    if (i > 0)
        out[i] += i % i;
}

/* The smallest number has no positive counterpart: that is no division by zero. */
__global__ void smallest(int *out, int i, int by, long long l, long long long_by) {
    out[0] = i / by;
    out[1] = i % by;
    out[2] = (int)(l / long_by >> 32);
    out[3] = (int)(l % long_by);
}

__global__ void floats(int *out, float zero) {
    out[threadIdx.x] = 1 / zero > 1e30f;
}

int main(int argc, char **argv) {
    const int what = argc > 1 ? atoi(argv[1]) : 0;
    int *out, host[64] = {0};
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    switch (what) {
    case 1: by_index<<<4, 16>>>(out, 64); break;
    case 2: kinds<<<1, 32>>>(out, 0, 0, 0, 0, 0); break;
    case 3: guarded<<<1, 32>>>(out); break;
    case 4: smallest<<<1, 1>>>(out, INT_MIN, -1, LLONG_MIN, -1); break;
    case 5: floats<<<1, 32>>>(out, 0); break;
    }
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d, %s\n", host[0], host[1], host[2], host[3],
           cudaGetErrorString(cudaGetLastError()));
    cudaFree(out);
    return 0;
}
