/* explore_device.c: the device's side of the explorations, see explore.h. */
#include "common/explore.h"
#include "common/lab.h"
#include "common/timing_cuda.h"

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma weak matmul_device

/* 0.75 is 0x3f400000: not one byte four times, so memory is filled from the host, a piece at a
 * time. */
enum { PIECE = 1 << 20 };
static const float VALUE = 0.75f;

static enum run_status failed(const char *what, cudaError_t status) {
    fflush(stdout);
    fprintf(stderr, "%s failed: %s (%d), %s\n", what, cudaGetErrorName(status), (int)status,
            cudaGetErrorString(status));
    return status == cudaErrorMemoryAllocation ? RUN_MACHINE : RUN_WRONG;
}

enum run_status device_memory(uint64_t *total, uint64_t *free_bytes) {
    size_t a = 0, f = 0;
    cudaError_t status = cudaMemGetInfo(&f, &a);
    struct cudaDeviceProp properties;
    if (status == cudaSuccess)
        status = cudaGetDeviceProperties(&properties, 0);
    if (status != cudaSuccess)
        return failed("asking for the device's memory", status);
    *total = properties.totalGlobalMem;
    *free_bytes = f;
    return RUN_CORRECT;
}

struct three {
    float *A, *B, *C;
};

static cudaError_t allocate(struct three *d, int n) {
    size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    *d = (struct three){0};
    cudaError_t status = cudaMalloc((void **)&d->A, bytes);
    if (status == cudaSuccess)
        status = cudaMalloc((void **)&d->B, bytes);
    if (status == cudaSuccess)
        status = cudaMalloc((void **)&d->C, bytes);
    return status;
}

static void release(struct three *d) {
    cudaFree(d->A);
    cudaFree(d->B);
    cudaFree(d->C);
}

bool device_fits(int n, enum run_status *status) {
    struct three d;
    cudaError_t error = allocate(&d, n);
    release(&d);
    *status = RUN_CORRECT;
    if (error == cudaErrorMemoryAllocation)
        (void)cudaGetLastError(); /* expected: not to be found by a later call */
    else if (error != cudaSuccess)
        *status = failed("allocating", error);
    return error == cudaSuccess;
}

static cudaError_t fill(float *to, size_t count) {
    float *piece = malloc(PIECE * sizeof *piece);
    if (!piece)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < PIECE; ++i)
        piece[i] = VALUE;
    cudaError_t status = cudaSuccess;
    for (size_t at = 0; at < count && status == cudaSuccess; at += PIECE) {
        size_t part = count - at < PIECE ? count - at : PIECE;
        status = cudaMemcpy(to + at, piece, part * sizeof *piece, cudaMemcpyHostToDevice);
    }
    free(piece);
    return status;
}

static cudaError_t look(const float *C, int n, int k, int count, const int *row, const int *col,
                        int *wrong) {
    /* k products of 0.75 * 0.75: exact while the sum has at most 24 bits, rounded beyond. */
    double want = 0.5625 * k;
    double allowed = want * k * ldexp(1, -23);
    cudaError_t status = cudaSuccess;
    *wrong = 0;
    for (int i = 0; i < count && status == cudaSuccess; ++i) {
        float got = NAN;
        size_t at = (size_t)row[i] * (size_t)n + (size_t)col[i];
        status = cudaMemcpy(&got, C + at, sizeof got, cudaMemcpyDeviceToHost);
        *wrong += !(fabs((double)got - want) <= allowed);
    }
    return status;
}

static cudaError_t compute(struct three *d, int n, int k, double *seconds, const char **what) {
    size_t side = (size_t)n;
    struct cuda_timer timer = {0};
    *what = "filling A and B";
    cudaError_t status = fill(d->A, side * (size_t)k);
    if (status == cudaSuccess)
        status = fill(d->B, side * (size_t)k);
    if (status == cudaSuccess) /* every float a NaN: what is never written shows */
        status = cudaMemset(d->C, 0xff, side * side * sizeof *d->C);
    if (status == cudaSuccess)
        status = cuda_timer_create(&timer);
    if (status == cudaSuccess) {
        *what = "matmul_device";
        status = cuda_timer_start(&timer);
        matmul_device(n, n, k, d->A, d->B, d->C);
        if (status == cudaSuccess)
            status = cudaGetLastError();
        if (status == cudaSuccess)
            status = cuda_timer_stop(&timer, seconds);
    }
    cuda_timer_destroy(&timer);
    return status;
}

enum run_status device_fill(int n, int k, int count, const int *row, const int *col, int *wrong,
                            double *seconds) {
    if (!matmul_device) {
        fprintf(stderr, "matmul_device is missing: this lab asks for it (see common/lab.h)\n");
        return RUN_WRONG;
    }
    struct three d;
    const char *what = "allocating A, B and C on the device";
    cudaError_t status = allocate(&d, n);
    if (status == cudaSuccess)
        status = compute(&d, n, k, seconds, &what);
    if (status == cudaSuccess)
        status = look(d.C, n, k, count, row, col, wrong);
    release(&d);
    return status == cudaSuccess ? RUN_CORRECT : failed(what, status);
}
