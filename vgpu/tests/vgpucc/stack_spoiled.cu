// A function that calls itself gets its caller's array and writes past its end: first over what the
// caller's rows were, then over the whole stack.
#include <cstdio>
#include <cstdlib>

__device__ int down(int n, int far, int *caller) {
    int own[4] = {n, n, n, n};
    for (int i = 4; i < 4 + (n < 3 ? far : 0); i++)
        caller[i] = 7;
    if (n > 0)
        own[0] += down(n - 1, far, own);
    return own[0] + caller[n % 4];
}

__global__ void fall(int *out, int far) {
    int mine[4] = {1, 2, 3, 4};
    out[threadIdx.x] = down(3, far, mine);
}

int main() {
    int *out, host = 0;
    cudaMalloc(&out, 128);
    fall<<<1, 4>>>(out, 0);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d, %s\n", host, cudaGetErrorString(cudaGetLastError()));
    fall<<<1, 4>>>(out, 4);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
