/*
 * counters.h: what is counted, as data: one number for each counter, and the counter's name.
 *
 * The names are those of the report (VGPU_REPORT), of vgpu-report and of the documentation; what
 * each one means, and which counter of the hardware it equals, is told in README.md.
 */
#ifndef VGPU_COUNTERS_H
#define VGPU_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Units: instructions and requests are a warp's, unless the name says thread; floating-point
 * operations are threads'; bytes are those that threads asked for; a sector is 32 bytes. */
enum vg_counter {
    VGC_WARP_INSTRUCTIONS,
    VGC_THREAD_INSTRUCTIONS,
    VGC_BRANCHES,
    VGC_DIVERGENT_BRANCHES,
    VGC_BARRIERS,

    VGC_GLOBAL_LOAD_REQUESTS,
    VGC_GLOBAL_LOAD_SECTORS,
    VGC_GLOBAL_LOAD_BYTES,
    VGC_GLOBAL_STORE_REQUESTS,
    VGC_GLOBAL_STORE_SECTORS,
    VGC_GLOBAL_STORE_BYTES,
    VGC_GLOBAL_ATOMIC_REQUESTS,
    VGC_GLOBAL_ATOMIC_SECTORS,
    VGC_GLOBAL_ATOMIC_BYTES,

    VGC_SHARED_LOAD_REQUESTS,
    VGC_SHARED_LOAD_WAVEFRONTS,
    VGC_SHARED_LOAD_CONFLICTS,
    VGC_SHARED_LOAD_BYTES,
    VGC_SHARED_STORE_REQUESTS,
    VGC_SHARED_STORE_WAVEFRONTS,
    VGC_SHARED_STORE_CONFLICTS,
    VGC_SHARED_STORE_BYTES,
    VGC_SHARED_ATOMIC_REQUESTS,
    VGC_SHARED_ATOMIC_BYTES,

    VGC_LOCAL_LOAD_REQUESTS,
    VGC_LOCAL_LOAD_SECTORS,
    VGC_LOCAL_LOAD_BYTES,
    VGC_LOCAL_STORE_REQUESTS,
    VGC_LOCAL_STORE_SECTORS,
    VGC_LOCAL_STORE_BYTES,

    VGC_CONST_LOAD_REQUESTS,
    VGC_CONST_LOAD_REPLAYS,
    VGC_CONST_LOAD_BYTES,

    VGC_FMA, /* float: the counter of matrix products */
    VGC_ADD,
    VGC_MUL,
    VGC_SPECIAL, /* division, square root, sin, … */
    VGC_FMA_DOUBLE,
    VGC_ADD_DOUBLE,
    VGC_MUL_DOUBLE,
    VGC_SPECIAL_DOUBLE,
    VGC_FMA_HALF, /* half and bfloat16; a packed instruction counts its two elements */
    VGC_ADD_HALF,
    VGC_MUL_HALF,
    VGC_SPECIAL_HALF,
    VGC_ASYNC_COPIES, /* of a warp: cp.async; their sources and destinations are counted as loads
                         from global and stores to shared memory, too */
    VGC_MMA,          /* matrix instructions of a warp (mma.sync, wmma.mma) */
    VGC_FLOPS_MMA,
    VGC_FLOPS, /* all of them: an fma is two */

    VGC_COUNT
};

typedef struct vg_counts {
    uint64_t v[VGC_COUNT];
} vg_counts;

/* "warp_instructions" … */
const char *vg_counter_name(enum vg_counter which);
/* VGC_COUNT when there is no counter of that name. */
enum vg_counter vg_counter_named(const char *name);

/* to += times * from */
void vg_counts_add(vg_counts *to, const vg_counts *from, uint64_t times);
bool vg_counts_are_zero(const vg_counts *c);

/* part / whole; 0 when there is no whole. */
double vg_ratio(uint64_t part, uint64_t whole);
/* Bytes that crossed between the multiprocessors and their caches: 32 for each global sector. */
uint64_t vg_global_bytes(const vg_counts *c);

#endif
