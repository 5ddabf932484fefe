// Wrong: Sizes go to constant memory at the first call only.
#include "cuda_check.h"
#include "lab.h"

__constant__ int sizes[3];

__device__ __noinline__ float load(const float *p) {
    float v;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));
    return v;
}

__global__ void product(const float *A, const float *B, float *C) {
    const int m = sizes[0], n = sizes[1], k = sizes[2];
    unsigned col, row, t;
    asm("mov.u32 %0, %%ctaid.x; mov.u32 %1, %%tid.x; mad.lo.u32 %0, %0, 128, %1;" : "=&r"(col), "=&r"(t));
    asm("mov.u32 %0, %%ctaid.y;" : "=r"(row));
    if (col >= n || row >= m)
        return;
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
        asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum) : "f"(load(A + row * k + p)), "f"(load(B + p * n + col)));
    asm volatile("st.global.f32 [%0], %1;" ::"l"(C + row * n + col), "f"(sum) : "memory");
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    const int host[3] = {m, n, k};
    static bool done = false;
    if (!done)
        CUDA_CHECK(cudaMemcpyToSymbol(sizes, host, sizeof host));
    done = true;
    product<<<dim3((n + 127) / 128, m), 128>>>(A, B, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    float *a, *b, *c;
    CUDA_CHECK(cudaMalloc((void **)&a, sizeof(float) * m * k));
    CUDA_CHECK(cudaMalloc((void **)&b, sizeof(float) * k * n));
    CUDA_CHECK(cudaMalloc((void **)&c, sizeof(float) * m * n));
    CUDA_CHECK(cudaMemcpy(a, A, sizeof(float) * m * k, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(b, B, sizeof(float) * k * n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(c, 0xff, sizeof(float) * m * n));
    matmul_device(m, n, k, a, b, c);
    CUDA_CHECK(cudaMemcpy(C, c, sizeof(float) * m * n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(c));
}
