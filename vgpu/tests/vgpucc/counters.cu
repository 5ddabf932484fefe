// What is counted of lanes that leave inside a function, of matrix instructions, halves and copies.
#include <cstdio>
#include <cuda_pipeline.h>
#include <mma.h>
#include <vgpu_counters.h>

__device__ __noinline__ void leave_if_odd() {
    if (threadIdx.x % 2)
        asm volatile("exit;");
}

// 16 of 32 threads multiply and add.
__global__ void leaves(float *x) {
    leave_if_odd();
    x[threadIdx.x] = fmaf(x[threadIdx.x], 2.0f, 1.0f);
}

__global__ void matrices(const __half *a, float *d) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> A;
    fragment<matrix_b, 16, 16, 16, __half, row_major> B;
    fragment<accumulator, 16, 16, 16, float> D;
    fill_fragment(D, 0.0f);
    load_matrix_sync(A, a, 16);
    load_matrix_sync(B, a, 16);
    mma_sync(D, A, B, D);
    store_matrix_sync(d, D, 16, mem_row_major);
}

__global__ void halves(__half2 *x) {
    x[threadIdx.x] = __hfma2(x[threadIdx.x], x[threadIdx.x], x[threadIdx.x]);
}

__global__ void copies(const float4 *from, float *to) {
    __shared__ float4 tile[32];
    __pipeline_memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    to[threadIdx.x] = tile[threadIdx.x].x;
}

int main() {
    void *memory, *result;
    struct vgpu_counters c;
    cudaMallocManaged(&memory, 4096);
    cudaMallocManaged(&result, 4096);
    cudaMemset(memory, 0, 4096);
    vgpu_counters_enable();
    leaves<<<1, 32>>>((float *)memory);
    vgpu_last_counters(&c);
    printf("fma %d\n", (int)c.fma);
    matrices<<<1, 32>>>((__half *)memory, (float *)result);
    vgpu_last_counters(&c);
    printf("mma %d, flops %d, of matrices %d; sectors loaded %d, stored %d\n", (int)c.mma, (int)c.flops,
           (int)c.flops_mma, (int)c.global_load_sectors, (int)c.global_store_sectors);
    halves<<<1, 32>>>((__half2 *)memory);
    vgpu_last_counters(&c);
    printf("fma of halves %d, flops %d\n", (int)c.fma_half, (int)c.flops);
    copies<<<1, 32>>>((float4 *)memory, (float *)result);
    vgpu_last_counters(&c);
    printf("copies: %d load requests, %d sectors, %d bytes; %d stores to shared memory, %d passes, %d bytes\n",
           (int)c.global_load_requests, (int)c.global_load_sectors, (int)c.global_load_bytes,
           (int)c.shared_store_requests, (int)c.shared_store_wavefronts, (int)c.shared_store_bytes);
    cudaFree(memory);
    cudaFree(result);
}
