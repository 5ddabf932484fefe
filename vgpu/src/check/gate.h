/*
 * gate.h: what every checker of accesses needs to know of one is found out here, once: the runs of
 * its lanes, and the allocation it is in. The gate is the observer; the checkers behind it are
 * called with accesses to shared and to global memory only, one allocation at a time; and with
 * reads of constants, where they ask for these.
 */
#pragma once

#include "vgpu/src/check/lane_runs.h"
#include "vgpu/src/check/regions.h"

/* An access, or the part of one that lies in one allocation. */
typedef struct vg_passed {
    const vg_access *access;
    vg_lane_runs runs;
    vg_region *region; /* NULL: shared memory, whose offsets may be out of bounds */
} vg_passed;

typedef void (*vg_pass_fn)(void *self, const vg_passed *p);
/* See observe.h; of shared memory only. */
typedef bool (*vg_glance_fn)(void *self, const vg_access *a, vg_permit *permit);

/* Of a read of memory that the host shares and the launch only reads: is it known already? The
 * permit is what is known around it. */
typedef bool (*vg_known_fn)(void *self, const vg_access *a, const vg_region *r, vg_permit *permit);

typedef struct vg_gate vg_gate;

vg_gate *vg_gate_create(vg_regions *regions); /* NULL: out of memory */
void vg_gate_destroy(vg_gate *gate);
/* At most four. glance: whether a glance will do; NULL: never. All of shared memory is permitted
 * (and the reads need not be noted) unless it says less; what one takes away no other gives. */
void vg_gate_add(vg_gate *gate, vg_pass_fn fn, vg_glance_fn glance, void *self);
/* The checker that was added last is told of reads of constants, too, where the source has given
 * some no value and nobody has filled them yet. */
void vg_gate_add_constants(vg_gate *gate);
/* In this launch plain reads (enum race_class, by op) of what only is read and all written are told
 * to nobody: to be called from a checker's launch_begin. */
void vg_gate_spare(vg_gate *gate, const uint8_t *class_of);
/* Of regions that the host shares only what is known to who is asked here. */
void vg_gate_ask_known(vg_gate *gate, vg_known_fn known, void *self);
/* But for this worker, till the launch's end; it may be called by the worker itself. */
void vg_gate_want_all(vg_gate *gate, int worker);
/* To be registered before the checkers' own observers. */
const vg_observer *vg_gate_observer(const vg_gate *gate);
