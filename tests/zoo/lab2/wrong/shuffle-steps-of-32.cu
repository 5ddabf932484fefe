// Wrong: each thread takes 32 steps in each pass over k, also in the last, partial one: B is read
// below its last row. sizes travel through __constant__ memory; the kernel reads rows of A by
// broadcast through shuffles of 32
#include "cuda_check.h"
#include "lab.h"
struct Params {
    int m, n, k;
    const float *A, *B;
    float *C;
};
__constant__ Params params;
__global__ void kernel() {
    const Params &P = params;
    int col = blockIdx.x * 32 + (threadIdx.x & 31),
        row = blockIdx.y * (blockDim.x >> 5) + (threadIdx.x >> 5);
    bool live = row < P.m && col < P.n;
    float sum = 0;
    for (int base = 0; base < P.k; base += 32) {
        int lane = threadIdx.x & 31;
        float mine = row < P.m && base + lane < P.k ? P.A[(size_t)row * P.k + base + lane] : 0.0f;
        int steps = 32;
        for (int s = 0; s < steps; ++s) {
            float a = __shfl_sync(~0u, mine, s);
            if (live)
                sum += a * P.B[(size_t)(base + s) * P.n + col];
        }
    }
    if (live)
        P.C[(size_t)row * P.n + col] = sum;
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    Params p{m, n, k, A, B, C};
    CUDA_CHECK(cudaMemcpyToSymbol(params, &p, sizeof p));
    kernel<<<dim3((n + 31) / 32, (m + 7) / 8), 256>>>();
    CUDA_CHECK_LAUNCH();
}
void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *d[3];
    const size_t bytes[3] = {4ul * m * k, 4ul * k * n, 4ul * m * n};
    for (int i = 0; i < 3; ++i)
        CUDA_CHECK(cudaMalloc(d + i, bytes[i]));
    CUDA_CHECK(cudaMemcpy(d[0], A, bytes[0], cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d[1], B, bytes[1], cudaMemcpyHostToDevice));
    matmul_device(m, n, k, d[0], d[1], d[2]);
    CUDA_CHECK(cudaMemcpy(C, d[2], bytes[2], cudaMemcpyDeviceToHost));
    for (float *p : d)
        CUDA_CHECK(cudaFree(p));
}
