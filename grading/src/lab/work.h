/*
 * work.h: what the virtual GPU counted while a submission's function ran, and the quantities that
 * rubrics put limits on.
 *
 * Counts come from the worker, one array a call. Quantities are computed here, in the grader, from
 * the counts of one call and its shape; a rubric names them ("load_reuse", "gemm_calls"). They do
 * not depend on the machine: only on the submission, the shape and the compiler's choice of
 * instructions, which is why rubrics limit sectors, conflicts and operations, not instructions.
 */
#ifndef GRADING_WORK_H
#define GRADING_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* One call's counts. The first group is what it did;
 * the second, what was there when it returned. */
enum work_item {
    WORK_LAUNCHES, /* kernels that ran */
    WORK_FAILED_LAUNCHES,
    WORK_COPIES,
    WORK_COPIED_BYTES,
    WORK_TO_HOST_BYTES, /* of these, from the device to the host */
    WORK_BLAS_CALLS,    /* cuBLAS calls that compute */
    WORK_GEMM_CALLS,
    WORK_GEMM_MADDS,
    WORK_TRIED_ALLOC, /* calls by enum vgpu_call */
    WORK_TRIED_COPY,
    WORK_TRIED_LAUNCH,
    WORK_TRIED_BLAS,
    WORK_GLOBAL_LOAD_REQUESTS, /* of kernels, all launches together; a request is a warp's */
    WORK_GLOBAL_LOAD_SECTORS,  /* of 32 bytes */
    WORK_GLOBAL_LOAD_BYTES,    /* that its threads asked for, each on its own */
    WORK_GLOBAL_STORE_REQUESTS,
    WORK_GLOBAL_STORE_SECTORS,
    WORK_GLOBAL_STORE_BYTES,
    WORK_GLOBAL_ATOMIC_REQUESTS,
    WORK_SHARED_LOAD_REQUESTS,
    WORK_SHARED_LOAD_CONFLICTS,
    WORK_SHARED_LOAD_BYTES,
    WORK_SHARED_STORE_REQUESTS,
    WORK_SHARED_STORE_CONFLICTS,
    WORK_LOCAL_REQUESTS, /* loads and stores */
    WORK_ASYNC_COPIES,   /* of warps, from global to shared memory (cp.async) */
    WORK_BARRIERS,
    WORK_WARP_INSTRUCTIONS,
    WORK_FLOPS,     /* of threads, a fused multiply-add is two; tensor cores' not included */
    WORK_FLOPS_MMA, /* of tensor cores */
    WORK_LIVE_ALLOCATIONS,
    WORK_LIVE_BYTES,
    WORK_LIVE_STREAMS,
    WORK_LIVE_EVENTS,
    WORK_LIVE_BLAS,
    WORK_UNFINISHED, /* streams with work that nothing has waited for */
    WORK_UNORDERED,  /* of these, streams that the default stream does not wait for */
    WORK_GRID_X,     /* of the kernel that ran last; 0: none did */
    WORK_GRID_Y,
    WORK_GRID_Z,
    WORK_BLOCK_X,
    WORK_BLOCK_Y,
    WORK_BLOCK_Z,
    WORK_COUNT
};

struct work {
    uint64_t of[WORK_COUNT];
};

struct shape;

/* May a rubric name this? Every count is a quantity, under its own name. */
bool quantity_known(const char *name);
/* Its value for a call; NaN when there is none, as for sectors a request without requests. */
double quantity_value(const char *name, const struct work *w, const struct shape *s);
/* The names of all quantities, by number from 0; NULL after the last. */
const char *quantity_name(int i);
/* What it is, in words; never NULL. */
const char *quantity_meaning(const char *name);

#endif
