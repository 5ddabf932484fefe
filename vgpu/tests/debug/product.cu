// product.cu N: a product whose elements the program knows, with a mistake of its own for each N.
#include <cstdio>
#include <cstdlib>
#include <vgpu.h>

enum { N = 8 };

__global__ void clear(int which, float *C) {
    if (which == 3 && threadIdx.x / N == 5)
        return;
    C[threadIdx.x] = 0;
}

__global__ void add_up(int which, const float *A, const float *B, float *C) {
    const int row = threadIdx.y, col = threadIdx.x;
    if (which >= 2 && row == 5)
        return;
    for (int k = which == 1 && col == 3 ? 1 : 0; k < N; k++)
        C[row * N + col] += A[row * N + k] * B[k * N + col];
}

struct call {
    int which;
    bool on_host;
    const float *A, *B;
    float *C;
};

static void compute(void *self) {
    const call *c = (const call *)self;
    float *C = c->C;
    if (c->on_host)
        cudaMalloc(&C, N * N * sizeof(float));
    clear<<<1, N * N>>>(c->which, C);
    add_up<<<1, dim3(N, N)>>>(c->which, c->A, c->B, C);
    if (c->on_host) {
        cudaMemcpy(c->C, C, N * N * sizeof(float), cudaMemcpyDeviceToHost);
        cudaFree(C);
    }
}

int main(int argc, char **argv) {
    static float host[N * N], A[N * N], B[N * N];
    static double want[N * N];
    float *dA, *dB, *dC;
    for (int i = 0; i < N * N; i++) {
        A[i] = i % 5 + 1;
        B[i] = i % 3 + 1;
    }
    for (int i = 0; i < N * N; i++)
        for (int k = 0; k < N; k++)
            want[i] += A[i / N * N + k] * B[k * N + i % N];
    cudaMalloc(&dA, sizeof A);
    cudaMalloc(&dB, sizeof B);
    cudaMalloc(&dC, sizeof A);
    cudaMemcpy(dA, A, sizeof A, cudaMemcpyHostToDevice);
    cudaMemcpy(dB, B, sizeof B, cudaMemcpyHostToDevice);
    const bool on_host = argc > 2;
    call c = {argc > 1 ? atoi(argv[1]) : 0, on_host, dA, dB, on_host ? host : dC};
    const vgpu_product product = {c.C, N * N, N, want, nullptr};
    vgpu_foresee(compute, &c, &product);
    compute(&c);
    cudaDeviceSynchronize();
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
    puts("computed");
    return 0;
}
