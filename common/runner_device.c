/* runner_device.c: see runner.h. All of the runner's CUDA calls. */
#include "common/lab.h"
#include "common/launch_record.h"
#include "common/runner.h"
#include "common/timing.h"
#include "common/timing_cuda.h"

#include <stdio.h>

#pragma weak matmul_host
#pragma weak matmul_device

/* All bits set: every float is a NaN, so that an element the lab never writes shows. */
enum { POISON_BYTE = 0xff };

/* Reports a failed call. What the machine is to blame for is told from what the lab's code did. */
static enum run_status report(const char *what, cudaError_t status) {
    bool machine = status == cudaErrorMemoryAllocation || status == cudaErrorNoDevice ||
                   status == cudaErrorInsufficientDriver || status == cudaErrorInitializationError;
    fflush(stdout);
    fprintf(stderr, "%s failed: %s (%d), %s\n", what, cudaGetErrorName(status), (int)status,
            cudaGetErrorString(status));
    return machine ? RUN_MACHINE : RUN_WRONG;
}

bool device_describe(char *text, int size) {
    struct cudaDeviceProp properties;
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count < 1)
        status = cudaErrorNoDevice;
    if (status == cudaSuccess)
        status = cudaGetDeviceProperties(&properties, 0);
    if (status != cudaSuccess)
        snprintf(text, size, "%s", cudaGetErrorString(status));
    else
        snprintf(text, size, "%s", properties.name);
    return status == cudaSuccess;
}

static void take_launches(struct run_timing *timing) {
    struct launch_record record = launch_record_read();
    timing->launches = record.launches;
    for (int d = 0; d < 3; ++d) {
        timing->grid[d] = record.grid[d];
        timing->block[d] = record.block[d];
    }
}

struct device_memory {
    float *A, *B, *C;
};

static cudaError_t allocate(struct device_memory *d, size_t a, size_t b, size_t c) {
    cudaError_t status = cudaMalloc((void **)&d->A, a);
    if (status == cudaSuccess)
        status = cudaMalloc((void **)&d->B, b);
    if (status == cudaSuccess)
        status = cudaMalloc((void **)&d->C, c);
    if (status == cudaSuccess)
        status = cudaMemset(d->C, POISON_BYTE, c);
    return status;
}

/* After a kernel failed, these fail too and change nothing. */
static void release(struct device_memory *d) {
    cudaFree(d->A);
    cudaFree(d->B);
    cudaFree(d->C);
    *d = (struct device_memory){0};
}

/* The timed part. *what names the step that failed. */
static cudaError_t multiply(const struct run_build *build, int m, int n, int k,
                            const struct device_memory *d, const float *A, const float *B, float *C,
                            struct cuda_timer *all, struct cuda_timer *device,
                            struct run_timing *timing, const char **what) {
    size_t bytes_A = layout_count(build->layout, m, k) * sizeof(float);
    size_t bytes_B = layout_count(build->layout, k, n) * sizeof(float);
    size_t bytes_C = layout_count(build->layout, m, n) * sizeof(float);

    *what = "copying A and B to the device";
    cudaError_t status = cuda_timer_start(all);
    if (status == cudaSuccess)
        status = cudaMemcpy(d->A, A, bytes_A, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(d->B, B, bytes_B, cudaMemcpyHostToDevice);
    if (status == cudaSuccess && lab_product_takes_c(&build->product))
        status = cudaMemcpy(d->C, C, bytes_C, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = cuda_timer_start(device);
    if (status != cudaSuccess)
        return status;

    *what = "matmul_device";
    launch_record_reset();
    matmul_device(m, n, k, d->A, d->B, d->C);
    take_launches(timing);
    status = cudaGetLastError(); /* a launch that was refused */
    if (status == cudaSuccess)
        status = cuda_timer_stop(device, &timing->seconds_on_device);
    if (status != cudaSuccess)
        return status;

    *what = "copying C from the device";
    status = cudaMemcpy(C, d->C, bytes_C, cudaMemcpyDeviceToHost);
    if (status == cudaSuccess)
        status = cuda_timer_stop(all, &timing->seconds);
    return status;
}

enum run_status device_run(const struct run_build *build, int m, int n, int k, const float *A,
                           const float *B, float *C, struct run_timing *timing) {
    if (!matmul_device) {
        fprintf(stderr, "matmul_device is missing: this lab asks for it (see common/lab.h)\n");
        return RUN_WRONG;
    }
    struct device_memory d = {0};
    struct cuda_timer all = {0};
    struct cuda_timer device = {0};
    const char *what = "making CUDA events";
    cudaError_t status = cuda_timer_create(&all);
    if (status == cudaSuccess)
        status = cuda_timer_create(&device);
    if (status == cudaSuccess) {
        what = "allocating A, B and C on the device";
        status = allocate(&d, layout_count(build->layout, m, k) * sizeof(float),
                          layout_count(build->layout, k, n) * sizeof(float),
                          layout_count(build->layout, m, n) * sizeof(float));
    }
    if (status == cudaSuccess)
        status = multiply(build, m, n, k, &d, A, B, C, &all, &device, timing, &what);
    enum run_status result = status == cudaSuccess ? RUN_CORRECT : report(what, status);
    release(&d);
    cuda_timer_destroy(&device);
    cuda_timer_destroy(&all);
    return result;
}

enum run_status host_run(const struct run_build *build, int m, int n, int k, const float *A,
                         const float *B, float *C, struct run_timing *timing) {
    if (!matmul_host) {
        fprintf(stderr, "matmul_host is missing: this lab asks for it (see common/lab.h)\n");
        return RUN_WRONG;
    }
    (void)build;
    launch_record_reset();
    double begin = timing_now();
    matmul_host(m, n, k, A, B, C);
    timing->seconds = timing_now() - begin;
    take_launches(timing);
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaGetLastError();
    return status == cudaSuccess ? RUN_CORRECT : report("matmul_host", status);
}
