/*
 * cpu.h: products on the CPU, timed with the host's clock.
 *
 * Contenders: the triple loop as every text begins with it, lab 1's solution, a student's file, and
 * the BLAS on one core and on all.
 */
#pragma once

#include "bench/contender.h"

/* C = A * B, the way it is written down first: one element of C after the other, p innermost. */
void cpu_naive(int m, int n, int k, const float *A, const float *B, float *C);

struct contender cpu_naive_contender(void);

/* The BLAS on that many cores, named "blas-1" or "blas-all". Its number of threads can be set only
 * if it is OpenBLAS: else (cpu_blas_settable) blas-all alone makes sense. cpu_has_blas: was one
 * linked? */
bool cpu_has_blas(void);
bool cpu_blas_settable(void);
struct contender cpu_blas_contender(int threads, bool all);
const char *cpu_blas_name(void);

/* The processor's name as the system tells it, or "". */
void cpu_describe(char *text, size_t size);

/* One contender's part in a shape. */
struct cpu_lane {
    const struct contender *contender;
    struct result result;
    double *samples;
    int done, wanted;
};

/*
 * Times C = A * B for several contenders in turns, so that what else the machine does touches them
 * alike.
 *
 * Each is warmed up first, and then timed at most `launches` times; fewer times (at least once)
 * when they would take more than `cap` seconds. A contender that allows it (by_rows) and would take
 * longer still is timed on some rows of C, and its time scaled up: result.timed_rows tells.
 *
 * Fills launches, time, timed_rows and note of each lane's result; the caller fills contender and
 * result (result_start) before, and judges C in `judge`, called once for each lane, in which
 * timed_rows rows of C hold its product and the others NaNs. C's contents are lost.
 */
typedef void cpu_judge(const void *context, const float *C, struct result *r);

void cpu_time(struct cpu_lane *lanes, int count, const float *A, const float *B, float *C,
              int launches, double cap, cpu_judge *judge, const void *context);
