// smashed.cu [far]: a function that calls itself without end; with an argument it also writes
// beyond its caller's array, over what its caller returns to.
#include <cstdio>

__device__ int down(int n, int far, int *caller) {
    int own[4] = {n, n, n, n};
    for (int i = 4; i < 4 + (n < 3 ? far : 0); i++)
        caller[i] = 7;
    if (n != 100)
        own[0] += down(n - 1, far, own);
    return own[0] + caller[n % 4];
}

__global__ void fall(int *out, int far) {
    int mine[4] = {1, 2, 3, 4};
    out[threadIdx.x] = down(3, far, mine);
}

int main(int argc, char **) {
    int *out;
    cudaMalloc(&out, 128);
    fall<<<1, 4>>>(out, argc > 1 ? 60 : 0);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(out);
    return 0;
}
