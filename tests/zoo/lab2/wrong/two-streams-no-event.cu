// Wrong: copies on one non-blocking stream, the kernel on another, and it does not wait for the copies.
#include "cuda_check.h"
#include "lab.h"
#include <string.h>
__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C) {
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i < m && j < n) {
        float s = 0;
        for (int p = 0; p < k; p++) s += A[i * k + p] * B[p * n + j];
        C[i * n + j] = s;
    }
}
static void launch(int m, int n, int k, const float *A, const float *B, float *C, cudaStream_t s) {
    mm<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8), 0, s>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) { launch(m, n, k, A, B, C, NULL); }
void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    const size_t a = sizeof(float) * m * k, b = sizeof(float) * k * n, c = sizeof(float) * m * n;
    char *d, *h;
    cudaStream_t copies, kernels;
    cudaEvent_t in, computed, out;
    CUDA_CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&in, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&computed, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&out, cudaEventDisableTiming));
    CUDA_CHECK(cudaMalloc((void **)&d, a + b + c));
    CUDA_CHECK(cudaMallocHost((void **)&h, a + b + c));
    memcpy(h, A, a);
    memcpy(h + a, B, b);
    CUDA_CHECK(cudaMemcpyAsync(d, h, a + b, cudaMemcpyHostToDevice, copies));
    CUDA_CHECK(cudaEventRecord(in, copies));
    launch(m, n, k, (float *)d, (float *)(d + a), (float *)(d + a + b), kernels);
    CUDA_CHECK(cudaEventRecord(computed, kernels));
    CUDA_CHECK(cudaStreamWaitEvent(copies, computed, 0));
    CUDA_CHECK(cudaMemcpyAsync(h + a + b, d + a + b, c, cudaMemcpyDeviceToHost, copies));
    CUDA_CHECK(cudaEventRecord(out, copies));
    while (cudaEventQuery(out) == cudaErrorNotReady) {
    }
    memcpy(C, h + a + b, c);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFreeHost(h));
    CUDA_CHECK(cudaEventDestroy(in));
    CUDA_CHECK(cudaEventDestroy(computed));
    CUDA_CHECK(cudaEventDestroy(out));
    CUDA_CHECK(cudaStreamDestroy(copies));
    CUDA_CHECK(cudaStreamDestroy(kernels));
}
