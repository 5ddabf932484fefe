/*
 * vgpu.h: what the virtual GPU tells beyond CUDA: counts of what a program has asked of it.
 * For test programs and graders; a program that uses it runs on the virtual GPU only.
 */
#ifndef VGPU_H
#define VGPU_H

#include "vgpu_facts.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Since the start of the process, or the last vgpu_reset_stats. */
struct vgpu_stats {
    uint64_t launches;        /* kernels run, faulted ones included        */
    uint64_t failed_launches; /* refused: beyond the limits, not loadable  */
    uint64_t copies;          /* cudaMemcpy and its relatives              */
    uint64_t copied_bytes;
    uint64_t blas_calls;                  /* cuBLAS calls that compute, all of them    */
    uint64_t gemm_calls;                  /* of those, matrix products                 */
    uint64_t gemm_madds;                  /* their multiply-adds, m * n * k            */
    uint64_t gemm_rounded;                /* products of factors rounded to TF32       */
    uint64_t faults;                      /* kernels and library calls that faulted    */
    uint64_t to_host_bytes;               /* of copied_bytes, those that left the device */
    uint64_t to_host_after;               /* of those, the ones since the last launch    */
    uint64_t tried[4];                    /* calls by enum vgpu_call, failed ones included */
    uint32_t last_grid[3], last_block[3]; /* x, y, z of the kernel that ran last; 0: none did */
    uint8_t last_kernels[64]; /* of launch i, from 0, at i % 64: its kernel's vgpu_kernel_bit */

    /* As it is now; not changed by a reset. */
    uint64_t live_allocations; /* of cudaMalloc and its relatives               */
    uint64_t live_bytes;
    uint64_t live_heap;                            /* pieces that kernels got from malloc or new */
    uint64_t live_streams, live_events, live_blas; /* handles not destroyed      */
    uint64_t unfinished; /* streams with work that nothing has waited for (see below) */
    uint64_t unordered;  /* of those, the ones that the default stream does not wait for either */
};

/* A number below 64 for a kernel's name, as it is written in the source: without namespaces and
 * arguments. Two names may have the same. */
static inline unsigned vgpu_kernel_bit(const char *name, size_t length) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return (hash ^ hash >> 15) % 64;
}

void vgpu_get_stats(struct vgpu_stats *stats);
void vgpu_reset_stats(void);

/* Every call here is done when it returns, but a program must not rely on it: a stream counts as
 * unfinished from the work put on it until the host waits for the stream, for an event recorded
 * behind that work, or for the device. So do streams destroyed before that. */

/* And what it writes is not there for anybody else before: see VGPU_LATE. With `always`, from now
 * on, everything counts as waited for at once. */
void vgpu_wait_always(int always);

/* From now on nothing is printed; or, with 0, as VGPU_QUIET says. Who listens (vgpu_facts.h) hears
 * it all the same. */
void vgpu_be_quiet(int quiet);

/* The live allocation that begins there may only be read from now on: a kernel that writes to it
 * faults, and copies to it are refused. With 0 it may be written again. For who hands memory to
 * code that must leave it as it is. */
void vgpu_lend(const void *allocation, int read_only);

/* C as a call of the program's is to leave it: row-major, on the device or the host. */
struct vgpu_product {
    const float *c;
    uint64_t count, columns; /* elements; of them in a row */
    const double *want;      /* what each should be ... */
    const double *bound;     /* ... and how far it may be off; NULL: not at all */
};

/* For a program that a debugger holds (vgpu-debug), before its call: the same call is made in a
 * child of the process first, so that the debugger knows where the first wrong element gets its
 * value, and holds the kernel there. Without a debugger it does nothing. */
void vgpu_foresee(void (*call)(void *self), void *self, const struct vgpu_product *product);

/* Calls that a careful program checks. */
enum vgpu_call {
    VGPU_CALL_ALLOC,  /* cudaMalloc and its relatives                          */
    VGPU_CALL_COPY,   /* cudaMemcpy, cudaMemset and their relatives            */
    VGPU_CALL_LAUNCH, /* kernels; a failed launch is told by cudaGetLastError  */
    VGPU_CALL_BLAS    /* cublasCreate and every cuBLAS call that computes      */
};

/* Makes one call fail: the nth of its sort from now on, counted from 1; 0: none. It does nothing
 * and returns cudaErrorMemoryAllocation, cudaErrorInvalidValue, cudaErrorLaunchOutOfResources or
 * CUBLAS_STATUS_EXECUTION_FAILED. Once only; nothing sticks. To see what a program does then. */
void vgpu_fail_call(enum vgpu_call call, unsigned int nth);

/* What the checkers have found so far (VGPU_CHECK), each mistake once. */
struct vgpu_finding {
    enum vgpu_found kind;
    int error;        /* 1: an error; 0: a warning */
    char kernel[160]; /* empty: in the host's part */
    char object[160]; /* the array or allocation; may be empty */
    enum vgpu_hazard hazard;
    struct vgpu_fact fact; /* which message it is; where it is about memory, which */
    struct {
        char file[256]; /* empty: unknown */
        int line;
    } site[2];
    uint64_t count;     /* times seen; 0: unknown */
    char message[1024]; /* for people; of one or more lines */
};

/* Finding number `index`, from 0, in the order they were told. 0: there is none. */
int vgpu_get_finding(int index, struct vgpu_finding *finding);

/* Allocations have numbers, in order: the next one's. */
uint32_t vgpu_next_allocation(void);
/* Adds a finding of kind "leak" for what was allocated with this number or a later one and is still
 * alive, as the end of the program would. Nothing when the memory checker is off. */
void vgpu_find_leaks(uint32_t first_allocation);

#ifdef __cplusplus
}
#endif

#endif
