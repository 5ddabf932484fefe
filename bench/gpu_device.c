/* gpu_device.c: see gpu.h. */
#include "bench/chip.h"
#include "bench/gpu.h"

#include "common/cuda_check.h"
#include "common/timing.h"

#include <math.h>
#include <string.h>

enum {
    WARM_SIZE = 1024, /* of the products that warm the device up */
    WARM_TURN = 20,   /* ... at most so many at a time */
    REPEATS = 5,
    HOLD_US = 150, /* longer than queueing a burst takes (gpu_time.c) */
    SMALLEST_FLUSH = 64 << 20,
};

static const size_t copy_bytes = (size_t)1 << 30;
static const double warm_seconds = 0.3; /* for the clock to rise */

void contender_run(const struct gpu_bench *b, const struct contender *c, struct shape s,
                   const float *A, const float *B, float *C) {
    if (c->kind != CONTENDER_CUBLAS) {
        c->multiply(s.m, s.n, s.k, A, B, C);
        return;
    }
    const float one = 1;
    const float zero = 0;
    /* Row-major for us is transposed for cuBLAS: see lab 5. */
    CUBLAS_CHECK(cublasSgemm(b->cublas, CUBLAS_OP_N, CUBLAS_OP_N, s.n, s.m, s.k, &one, B, s.n, A,
                             s.k, &zero, C, s.n));
}

/* The fastest of some runs of the work between two events, in seconds. */
struct stopwatch {
    cudaEvent_t begin, end;
};

static void stopwatch_open(struct stopwatch *w) {
    CUDA_CHECK(cudaEventCreate(&w->begin));
    CUDA_CHECK(cudaEventCreate(&w->end));
}

static void stopwatch_close(struct stopwatch *w) {
    CUDA_CHECK(cudaEventDestroy(w->begin));
    CUDA_CHECK(cudaEventDestroy(w->end));
}

static void stopwatch_start(struct stopwatch *w) {
    CUDA_CHECK(cudaEventRecord(w->begin, 0));
}

static double stopwatch_stop(struct stopwatch *w) {
    float milliseconds = 0;
    CUDA_CHECK(cudaEventRecord(w->end, 0));
    CUDA_CHECK(cudaEventSynchronize(w->end));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, w->begin, w->end));
    return 1e-3 * (double)milliseconds;
}

/* Bytes read and written a second when one half of a buffer is copied to the other. */
static double copy_speed(struct stopwatch *w) {
    char *memory;
    size_t bytes = copy_bytes;
    double best = INFINITY;
    while (cudaMalloc((void **)&memory, bytes) == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        bytes /= 2;
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemset(memory, 1, bytes));
    for (int i = 0; i < REPEATS; ++i) {
        stopwatch_start(w);
        CUDA_CHECK(
            cudaMemcpyAsync(memory, memory + bytes / 2, bytes / 2, cudaMemcpyDeviceToDevice, 0));
        best = fmin(best, stopwatch_stop(w));
    }
    CUDA_CHECK(cudaFree(memory));
    return 1e-9 * (double)bytes / best;
}

/* What events around a kernel that does nothing tell. */
static double empty_launch(struct gpu_bench *b, struct stopwatch *w) {
    double samples[REPEATS];
    for (int i = 0; i < REPEATS; ++i) {
        kernel_hold(b->hold);
        stopwatch_start(w);
        kernel_empty();
        samples[i] = stopwatch_stop(w);
    }
    CUDA_CHECK(cudaGetLastError());
    return stats_spread(samples, REPEATS).median;
}

/* Raises the clocks, and finds out how fast the reference can be. */
static void warm_up(struct gpu_bench *b, struct stopwatch *w) {
    const size_t count = (size_t)WARM_SIZE * WARM_SIZE;
    const struct contender cublas = {.kind = CONTENDER_CUBLAS};
    const struct shape s = {WARM_SIZE, WARM_SIZE, WARM_SIZE};
    const double one = 1;
    const double zero = 0;
    double *wide;
    CUDA_CHECK(cudaMalloc((void **)&wide, 3 * count * sizeof(double)));
    float *A = (float *)wide;
    kernel_fill(A, 2 * count, 1, 0);
    double begin = timing_now();
    int turn = 1; /* a slow device is not kept busy for longer than it takes */
    do {
        for (int i = 0; i < turn; ++i)
            contender_run(b, &cublas, s, A, A + count, A + 2 * count);
        CUDA_CHECK(cudaDeviceSynchronize());
        turn = 2 * turn < WARM_TURN ? 2 * turn : WARM_TURN;
    } while (timing_now() - begin < warm_seconds);

    CUDA_CHECK(cudaMemset(wide, 0, 3 * count * sizeof *wide)); /* only the time counts */
    double best = INFINITY;
    for (int i = 0; i < 2; ++i) {
        stopwatch_start(w);
        CUBLAS_CHECK(cublasDgemm(b->cublas, CUBLAS_OP_N, CUBLAS_OP_N, WARM_SIZE, WARM_SIZE,
                                 WARM_SIZE, &one, wide, WARM_SIZE, wide + count, WARM_SIZE, &zero,
                                 wide + 2 * count, WARM_SIZE));
        best = fmin(best, stopwatch_stop(w));
    }
    b->double_gflops = 1e-9 * shape_flops(s) / best;
    CUDA_CHECK(cudaFree(wide));
}

static int attribute(enum cudaDeviceAttr which) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

static void describe(struct gpu_bench *b) {
    struct cudaDeviceProp properties;
    struct machine *m = &b->machine;
    int version = 0;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    snprintf(m->gpu, sizeof m->gpu, "%s", properties.name);
    m->capability = 10 * properties.major + properties.minor;
    m->multiprocessors = properties.multiProcessorCount;
    m->max_clock_mhz = 1e-3 * attribute(cudaDevAttrClockRate);
    m->l2_mb = 1e-6 * properties.l2CacheSize;
    m->peak_gflops =
        chip_peak_gflops(properties.major, properties.minor, m->multiprocessors, m->max_clock_mhz);
    m->l1_gbs = chip_l1_gbs(m->multiprocessors, m->max_clock_mhz);
    CUDA_CHECK(cudaRuntimeGetVersion(&version));
    snprintf(m->cuda, sizeof m->cuda, "%d.%d", version / 1000, version % 1000 / 10);
    CUBLAS_CHECK(cublasGetVersion(b->cublas, &version));
    snprintf(m->cublas, sizeof m->cublas, "%d", version);
    b->hold = (long long)(HOLD_US * m->max_clock_mhz);
}

bool device_open(struct gpu_bench *b) {
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count < 1) {
        fprintf(stderr, "bench-gpu: no GPU answers: %s\n",
                status == cudaSuccess ? "there is none" : cudaGetErrorString(status));
        return false;
    }
    char address[32] = "";
    struct stopwatch w;
    CUBLAS_CHECK(cublasCreate(&b->cublas));
    describe(b);
    CUDA_CHECK(cudaDeviceGetPCIBusId(address, sizeof address, 0));
    b->clocks = clocks_open(address);
    stopwatch_open(&w);
    warm_up(b, &w);
    b->machine.copy_gbs = copy_speed(&w);
    b->machine.empty_launch_us = 1e6 * empty_launch(b, &w);
    stopwatch_close(&w);
    if (b->options.cold) {
        b->flush_bytes = (size_t)(4e6 * b->machine.l2_mb);
        if (b->flush_bytes < SMALLEST_FLUSH)
            b->flush_bytes = SMALLEST_FLUSH;
        CUDA_CHECK(cudaMalloc((void **)&b->flush, b->flush_bytes));
    }
    return true;
}

void device_close(struct gpu_bench *b) {
    clocks_close(b->clocks);
    b->clocks = NULL;
    if (b->cublas) {
        CUDA_CHECK(cudaFree(b->flush));
        CUBLAS_CHECK(cublasDestroy(b->cublas));
    }
}
