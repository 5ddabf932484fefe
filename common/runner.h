/*
 * runner.h: runs one lab by hand. build/BACKEND/labN is a student's labN.cu linked with this.
 *
 * It makes A and B, calls the lab's functions, prints corners of the matrices, the launch, the
 * durations, and whether C is right. It does not grade: see grading/ for that.
 *
 * The student's functions are weak references: one that the file doesn't define is reported by
 * name instead of by the linker.
 *
 *     runner.c          the flow and what is printed; knows nothing of CUDA
 *     runner_device.c   the parts that call CUDA; compiled once per backend
 *     launch_record.c    sees the launches go by; compiled once per backend
 *     runner_main.c     main; compiled once per backend and lab
 */
#pragma once

#include "common/compare.h"
#include "common/lab_product.h"
#include "common/matrix.h"

#include <stdbool.h>

/* Exit statuses of a lab program. A failed CUDA_CHECK ends it with 70 (cuda_check.h). */
enum run_status {
    RUN_CORRECT = 0,
    RUN_WRONG = 1,   /* a wrong result, a missing function, a kernel that failed */
    RUN_USAGE = 2,   /* a bad command line */
    RUN_MACHINE = 3, /* this machine cannot: no device, not enough memory */
};

/* What a program was built for. */
struct run_build {
    int lab;             /* its number */
    const char *backend; /* "vgpu" or "gpu" */
    /* What the lab's descriptor says (docs/labs.md); make hands it on. */
    bool on_cpu;                /* it has matmul_cpu, and nothing else is called */
    bool host;                  /* it has matmul_host beside matmul_device */
    struct layout layout;       /* how the functions find A and B in memory */
    struct lab_product product; /* what they compute */
    bool cublas;                /* its kernels are cuBLAS' own */
    int multiple;               /* sizes are m = n = k, multiples of this; 0: any sizes */
    enum bound_kind bound;      /* that reals are judged by */
};

int runner_main(const struct run_build *build, int argc, char **argv);

/* ---- The device's side, in runner_device.c ---- */

/* One way into the lab's code, timed. */
struct run_timing {
    double seconds;           /* from the first copy to the device to the last one back */
    double seconds_on_device; /* matmul_device alone */
    int launches;             /* how many were seen, and the last one's shape: */
    unsigned grid[3], block[3];
};

/* Is there a device to run on? Writes its name, or why not. */
bool device_describe(char *text, int size);

/* Allocates on the device, copies A and B, and C where it counts, calls matmul_device, copies C
 * back, frees. The matrices lie as `build` says. */
enum run_status device_run(const struct run_build *build, int m, int n, int k, const float *A,
                           const float *B, float *C, struct run_timing *timing);

/* Calls matmul_host, which does all of that itself. seconds_on_device stays 0. */
enum run_status host_run(const struct run_build *build, int m, int n, int k, const float *A,
                         const float *B, float *C, struct run_timing *timing);
