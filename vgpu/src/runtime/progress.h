/*
 * progress.h: a long run says what it is doing: after some seconds in kernels (VGPU_PROGRESS), then
 * after twice as many and so on, which kernel, which launch, which block. Only on a terminal, so
 * that no output that anybody keeps depends on the machine's speed.
 *
 * Contract: with the context's lock held; vg_progress_end follows vg_progress_begin.
 */
#pragma once

#include "vgpu/src/core/core.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct vg_progress {
    bool asked, terminal; /* whether standard error is one */
    uint64_t spent, next; /* nanoseconds in kernels; when to speak again */
    uint64_t began;       /* the launch at hand, by the clock */
    const char *kernel;
    uint64_t launch, blocks;
} vg_progress;

/* A kernel is about to be launched; sets what params say of it. seconds: until it speaks first; 0:
 * never. */
void vg_progress_begin(vg_progress *p, const char *kernel, uint64_t launch, uint64_t seconds,
                       vg_launch_params *params);
void vg_progress_end(vg_progress *p);
