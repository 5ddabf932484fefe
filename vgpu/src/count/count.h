/*
 * count.h: the counters of the virtual GPU, an observer of launches (core/observe.h).
 *
 *     code blocks entered  (worker.entered)   -> instructions, branches, operations   } for each
 *     memory accesses      (access callback)  -> requests, sectors, conflicts, bytes  } source line
 *                                                  |
 *                                                launch_end: one vg_launch_record into the log
 *
 * Every worker counts for itself and the sums are taken at the end, so that the numbers do not
 * depend on how many workers there are. Exact: lanes that a predicate or a branch switched off,
 * that have exited or that a partial warp never had count nothing.
 *
 * After a fault the numbers say how far the launch came, which may differ from run to run.
 */
#pragma once

#include "vgpu/src/core/observe.h"
#include "vgpu/src/count/log.h"

#include <pthread.h>

typedef struct vg_count vg_count;

/* NULL when out of memory. */
vg_count *vg_count_create(void);
/* To be registered with vg_exec_observe; lives as long as the counter. */
const vg_observer *vg_count_observer(vg_count *c);
void vg_count_destroy(vg_count *c);

/* The log, locked against launches that end meanwhile. NULL when it can't be had within a second,
 * as in a program that dies in the middle of it. */
vg_log *vg_count_lock(vg_count *c);
void vg_count_unlock(vg_count *c);

/* Called after each launch has gone into the log, outside the lock. */
void vg_count_on_launch(vg_count *c, void (*done)(void *self, bool faulted), void *self);

/* Most bytes of device memory in use at once, as far as launches and allocations told. */
uint64_t vg_count_peak_memory(const vg_count *c);
