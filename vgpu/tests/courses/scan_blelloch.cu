#include "check.cuh"
#define LOG_BANKS 5
#define OFFSET(n) ((n) >> LOG_BANKS)
__global__ void prescan(int *out, const int *in, int n) {
    extern __shared__ int temp[]; int t = threadIdx.x, offset = 1, ai = t, bi = t + n / 2, oa = OFFSET(ai), ob = OFFSET(bi);
    temp[ai + oa] = in[ai]; temp[bi + ob] = in[bi];
    for (int d = n >> 1; d > 0; d >>= 1) { __syncthreads(); if (t < d) { int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1; a += OFFSET(a); b += OFFSET(b); temp[b] += temp[a]; } offset *= 2; }
    if (t == 0) temp[n - 1 + OFFSET(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) { offset >>= 1; __syncthreads(); if (t < d) { int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1; a += OFFSET(a); b += OFFSET(b); int x = temp[a]; temp[a] = temp[b]; temp[b] += x; } }
    __syncthreads(); out[ai] = temp[ai + oa]; out[bi] = temp[bi + ob];
}
int main() {
    const int n = 512; int h[n], r[n], *x, *y; for (int i = 0; i < n; i++) h[i] = i % 7;
    CUDA(cudaMalloc(&x, sizeof h)); CUDA(cudaMalloc(&y, sizeof h)); CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    prescan<<<1, n / 2, (n + OFFSET(n)) * sizeof(int)>>>(y, x, n); CUDA(cudaMemcpy(r, y, sizeof r, cudaMemcpyDeviceToHost));
    for (int i = 0, s = 0; i < n; s += h[i++]) MUST(r[i] == s); cudaFree(x); cudaFree(y);
}
