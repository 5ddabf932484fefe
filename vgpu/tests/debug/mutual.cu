// mutual.cu: two functions that call each other and a third, deeper than a backtrace is shown.
#include <cstdio>

__device__ int odd(int n, int deep);

__device__ int half(int n) {
    int two = 2;
    return n / two;
}

__device__ int even(int n, int deep) {
    int sums[2] = {n, half(n)};
    if (n > 0)
        sums[0] += odd(n - 1, deep + 1);
    return sums[0] + half(sums[1]);
}

__device__ int odd(int n, int deep) {
    int less = n - 1;
    if (n > 0)
        less = even(less, deep + 1);
    return n + less;
}

__global__ void both(int *out) {
    int n = 4 * threadIdx.x + 4;
    out[threadIdx.x] = even(n, 0);
}

int main() {
    int *out, host[10];
    cudaDeviceSetLimit(cudaLimitStackSize, 8192);
    cudaMalloc(&out, sizeof host);
    both<<<1, 10>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[9]);
    cudaFree(out);
    return 0;
}
