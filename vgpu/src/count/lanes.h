/*
 * lanes.h: what is asked at every memory access of a warp, answered with vectors.
 *
 * lanes.c is compiled once for each instruction set worth having (see count.mk); the best one that
 * the processor offers is taken.
 */
#pragma once

#include "vgpu/src/core/observe.h"

typedef struct vg_lane_math {
    /* Counts an access: an observer's callback. self is a counting (access.h). */
    void (*access)(void *self, const vg_access *a);
    /* How many different 32-byte sectors 32 addresses lie in. */
    uint32_t (*sectors)(const uint64_t *at);
    /* True when at[i] - at[0] == apart[i] for all 32 lanes. */
    bool (*same_shape)(const uint64_t *at, const uint64_t *apart);
} vg_lane_math;

const vg_lane_math *vg_lane_math_best(void);

/* All sets this build has, for tests; those that the processor lacks are left out. */
int vg_lane_math_all(const vg_lane_math **list, int max);
