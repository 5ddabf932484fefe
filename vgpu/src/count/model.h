/*
 * model.h: what a launch would find on a device of a given profile: how many of its threads a
 * multiprocessor holds, and how long it would take at the least.
 *
 * The time is a MODEL, a roofline: the largest of a few times, each of which assumes that one part
 * of the chip is busy all the time and everything else costs nothing. It leaves out latencies,
 * which rule small grids and low occupancy; the cost of a launch; misses of the caches beyond the
 * first one; and what the assembler does to the PTX (it merges shared loads, unrolls, schedules).
 * So it is a bound from below with the shape of the truth, good for "what would help", and never
 * used for grades.
 */
#pragma once

#include "vgpu/src/core/profile.h"
#include "vgpu/src/count/counters.h"

typedef struct vg_occupancy {
    bool fits;         /* the device can run such a block at all                     */
    int blocks_sm;     /* blocks that a multiprocessor holds at once                 */
    int warps_sm;      /* and their warps                                            */
    int max_warps_sm;  /* warps that it could hold                                   */
    double percent;    /* warps_sm of max_warps_sm                                   */
    const char *limit; /* "threads", "blocks", "shared memory", "registers", "grid"  */
    double waves;      /* rounds of blocks over the whole device                     */
} vg_occupancy;

/* shared: static + dynamic bytes a block. registers: a thread's, 0 when unknown: then not looked
 * at. */
vg_occupancy vg_occupancy_of(const vg_profile *p, vg_dim3 grid, vg_dim3 block, uint64_t shared,
                             int registers);

/* Float operations a second that the device could do at best, an fma being two. */
double vg_peak_flops(const vg_profile *p);

typedef struct vg_model {
    double issue, arithmetic, memory; /* seconds, each by itself                     */
    double seconds;                   /* the largest                                 */
    const char *bound; /* its name: "instructions", "arithmetic", "shared and L1 memory" */
} vg_model;

vg_model vg_model_of(const vg_profile *p, const vg_counts *c, uint64_t num_blocks);
