// What vgpu.h tells: live objects, unfinished streams, findings, calls that are made to fail.
// env: VGPU_CHECK=all
#include <cstdio>
#include <cublas_v2.h>
#include <vgpu.h>

__global__ void set(float *x, float v) {
    x[threadIdx.x] = v;
}
__global__ void clash(float *x) {
    x[0] = (float)threadIdx.x;
}

static void live(const char *when) {
    struct vgpu_stats s;
    vgpu_get_stats(&s);
    printf("%s: %d allocations of %d bytes, %d streams, %d events, %d handles\n", when,
           (int)s.live_allocations, (int)s.live_bytes, (int)s.live_streams, (int)s.live_events,
           (int)s.live_blas);
}

static void unfinished(const char *when) {
    struct vgpu_stats s;
    vgpu_get_stats(&s);
    printf("%s: %d unfinished, %d unordered\n", when, (int)s.unfinished, (int)s.unordered);
}

int main() {
    float *x = nullptr, host[32], *pinned = nullptr;
    cudaStream_t free_stream, plain;
    cudaEvent_t event;
    cublasHandle_t blas;
    live("start");
    cudaMalloc(&x, 128);
    cudaMallocHost(&pinned, 128);
    cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking);
    cudaStreamCreate(&plain);
    cudaEventCreate(&event);
    cublasCreate(&blas);
    live("made");

    set<<<1, 32, 0, free_stream>>>(x, 1.0f);
    unfinished("a kernel on a non-blocking stream");
    cudaMemcpy(host, x, 128, cudaMemcpyDeviceToHost);
    unfinished("... after a copy on the default stream");
    cudaStreamSynchronize(free_stream);
    unfinished("... after waiting for the stream");
    set<<<1, 32, 0, plain>>>(x, 2.0f);
    unfinished("a kernel on a blocking stream");
    cudaMemcpy(host, x, 128, cudaMemcpyDeviceToHost);
    unfinished("... after a copy on the default stream");
    cudaMemcpyAsync(host, x, 128, cudaMemcpyDeviceToHost, free_stream);
    unfinished("an asynchronous copy to ordinary memory");
    cudaMemcpyAsync(pinned, x, 128, cudaMemcpyDeviceToHost, free_stream);
    unfinished("an asynchronous copy to pinned memory");
    cudaEventRecord(event, free_stream);
    set<<<1, 32, 0, free_stream>>>(x, 3.0f);
    cudaEventSynchronize(event);
    unfinished("... after an event before the last kernel");
    cudaEventRecord(event, free_stream);
    cudaStreamWaitEvent(plain, event, 0);
    unfinished("... after the blocking stream waits for it");
    cudaStreamDestroy(plain);
    unfinished("... after that is destroyed");
    cudaDeviceSynchronize();
    unfinished("... after waiting for the device");

    float *none = x;
    vgpu_fail_call(VGPU_CALL_ALLOC, 2);
    printf("%s, ", cudaGetErrorName(cudaMalloc(&none, 4)));
    printf("%s", cudaGetErrorName(cudaMalloc(&none, 4)));
    printf(", the pointer is %s\n", none ? "set" : "null");
    vgpu_fail_call(VGPU_CALL_COPY, 1);
    printf("%s, ", cudaGetErrorName(cudaMemset(x, 0, 4)));
    vgpu_fail_call(VGPU_CALL_LAUNCH, 1);
    set<<<1, 32>>>(x, 4.0f);
    printf("%s, then %s\n", cudaGetErrorName(cudaGetLastError()),
           cudaGetErrorName(cudaDeviceSynchronize()));
    const float one = 1.0f, zero = 0.0f;
    vgpu_fail_call(VGPU_CALL_BLAS, 1);
    printf("%s\n", cublasGetStatusName(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x,
                                                   1, x, 1, &zero, x, 1)));
    cudaMemcpy(host, x, 128, cudaMemcpyDeviceToHost);
    printf("x[5] is still %g\n", host[5]);
    struct vgpu_stats s;
    vgpu_get_stats(&s);
    printf("tried: %d allocations, %d copies, %d launches, %d calls of cuBLAS\n",
           (int)s.tried[VGPU_CALL_ALLOC], (int)s.tried[VGPU_CALL_COPY],
           (int)s.tried[VGPU_CALL_LAUNCH], (int)s.tried[VGPU_CALL_BLAS]);

    clash<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    const uint32_t mark = vgpu_next_allocation();
    float *lost;
    cudaMalloc(&lost, 40);
    vgpu_find_leaks(mark);
    struct vgpu_finding f;
    for (int i = 0; vgpu_get_finding(i, &f); i++)
        printf("finding: %s %s in '%s', %s %s, line %d\n", f.error ? "error" : "warning",
               vgpu_found_name(f.kind), f.kernel, f.object, vgpu_hazard_name(f.hazard),
               f.site[0].line);
    cublasDestroy(blas);
    cudaEventDestroy(event);
    cudaStreamDestroy(free_stream);
    cudaFree(x), cudaFree(lost), cudaFreeHost(pinned);
    live("end");
    return 0;
}
