/*
 * lane_runs.h: a warp's access as runs of lanes whose addresses are neighbours, or are the same.
 *
 *     lane     0   1   2   3   4   5   6   7          a row of 4 columns of float, then another
 *     address  100 104 108 10C 400 404 408 40C        -> runs (0, 4 neighbours), (4, 4 neighbours)
 */
#pragma once

#include "vgpu/src/core/observe.h"

typedef struct vg_lane_runs {
    uint32_t mask;       /* active lanes not walked yet                                 */
    uint32_t same, next; /* bit i: lane i + 1 is active, and at lane i's place, or behind it */
} vg_lane_runs;

typedef struct vg_lane_run {
    uint32_t lane, count;
    bool same; /* all at one address; otherwise each behind the one before */
} vg_lane_run;

/* What 32 addresses look like, for accesses of `size` bytes. */
typedef struct vg_shape {
    uint32_t same, next; /* bit i: address i + 1 equals address i, lies `size` behind it */
    uint64_t low, high;  /* of all of them */
} vg_shape;

/* The next run; false when there is none. */
static inline bool vg_lane_run_next(vg_lane_runs *r, vg_lane_run *run) {
    if (r->mask == 0)
        return false;
    const uint32_t lane = (uint32_t)__builtin_ctz(r->mask);
    run->lane = lane;
    run->same = (r->same >> lane & 1) != 0;
    const uint32_t chain = (run->same ? r->same : r->next) >> lane;
    run->count = 1 + (uint32_t)__builtin_ctz(~chain);
    r->mask &= run->count == VG_LANES ? 0 : ~(((1u << run->count) - 1) << lane);
    return true;
}
