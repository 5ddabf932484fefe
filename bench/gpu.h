/*
 * gpu.h: the state of a run of bench-gpu, shared by its files.
 *
 *   gpu_main.c     command line, which shapes, what is written
 *   gpu_device.c   what the device is and how fast it can be
 *   gpu_time.c     one shape: check and time all contenders
 *
 * Errors of the device end the program: after one, nothing measured in the same process means
 * anything. What was measured before is in the files by then.
 */
#pragma once

#include "bench/clocks.h"
#include "bench/contender.h"
#include "bench/options.h"
#include "bench/product.h"
#include "bench/result.h"

enum { STATUS_FAILED = 1, STATUS_NOTHING = 2 };

struct gpu_bench {
    struct bench_options options;
    struct machine machine;
    struct contender contender[CONTENDERS + 3];
    int contenders;
    cublasHandle_t cublas;
    struct clocks *clocks;
    double double_gflops; /* of cublasDgemm, roughly */
    long long hold;       /* clocks that kernel_hold takes before short work */
    char *flush;          /* device memory of flush_bytes; writing it empties the caches */
    size_t flush_bytes;
    struct results results;
};

/* Finds the device, warms it up and fills b->machine. Returns false, after one line on stderr,
 * without a device. Ends with device_close. */
bool device_open(struct gpu_bench *b);
void device_close(struct gpu_bench *b);

/* The contender's product, queued; nothing is waited for. */
void contender_run(const struct gpu_bench *b, const struct contender *c, struct shape s,
                   const float *A, const float *B, float *C);

/* Ends the program when work of this contender failed on the device. */
void contender_finish(const struct gpu_bench *b, const struct contender *c, struct shape s);

/* Times all contenders that the set asks for with this shape, and adds their results. */
void time_shape(struct gpu_bench *b, const struct shape_set *set, struct shape s);

/* Is the contender's product right for some small shapes? Says on stderr what is wrong. */
bool try_contender(struct gpu_bench *b, const struct contender *c);

/* Is it float32's? Then a product of certain integers is exact; rounding A or B to 11 bits on the
 * way, as the tensor cores do, spoils it. */
bool try_exact(const struct gpu_bench *b, const struct contender *c);
