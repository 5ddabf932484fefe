// Blocks in one dimension: rows and columns by division.
#include <cstdio>
#define N 12
__global__ void flat(float *C, const float *A, const float *B) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int i = id / N, j = id % N;
    float s;
    if (id >= N * N) return;
    s = 0;
    int p = 0;
    do {
        s = s + A[i * N + p] * B[p * N + j];
        p++;
    } while (p < N);
    C[id] = s;
}
int main() {
    float h[N * N], *d[3];
    for (int i = 0; i < N * N; i++) h[i] = i % 5 - 2;
    for (int i = 0; i < 3; i++) { cudaMalloc(&d[i], sizeof h); cudaMemcpy(d[i], h, sizeof h, cudaMemcpyHostToDevice); }
    flat<<<3, 64>>>(d[2], d[0], d[1]);
    cudaDeviceSynchronize();
}
