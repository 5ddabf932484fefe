/*
 * trace.h: what the first block of a launch touched, access by access: for pictures, not for sums.
 *
 *     warp 0          every access to global and shared memory, VG_TRACE_FIRST at most
 *     other warps     those before the block's first barrier, VG_TRACE_OTHER each at most
 *
 * So one warp can be followed through a phase, and it can be said who loads what before the first
 * barrier. Only of the first VG_TRACE_LAUNCHES launches; memory is bounded; nothing else is slowed.
 *
 * An observer of its own (core/observe.h), registered only when asked for (VGPU_TRACE=1).
 */
#pragma once

#include "vgpu/src/core/observe.h"

enum { VG_TRACE_LAUNCHES = 4, VG_TRACE_FIRST = 160, VG_TRACE_OTHER = 48, VG_TRACE_WARPS = 64 };

typedef struct vg_traced {
    int warp, phase; /* phase: barriers that the block had passed */
    int op;          /* number of the instruction: accesses of one instruction have the same */
    int file, line;  /* file: the module's number */
    bool shared;     /* else global */
    enum vg_access_kind kind;
    uint32_t mask, bytes;
    uint64_t object, object_bytes; /* global: the allocation's number and size; 0: none */
    int64_t at[VG_LANES];          /* bytes from the allocation's or the segment's begin */
} vg_traced;

typedef struct vg_trace_launch {
    char *kernel;
    vg_dim3 grid, block;
    char **files; /* names by number */
    int num_files;
    vg_traced *access;
    int count, room;
    bool more; /* there were more than are kept */
} vg_trace_launch;

typedef struct vg_trace { /* report.h knows it by its tag */
    vg_observer observer;
    vg_trace_launch launch[VG_TRACE_LAUNCHES];
    int launches; /* so far; those beyond VG_TRACE_LAUNCHES left nothing */
    int phase;
    int of_warp[VG_TRACE_WARPS];
} vg_trace;

/* NULL when out of memory. */
vg_trace *vg_trace_create(void);
/* Forgets what it has seen. Not while a kernel runs. */
void vg_trace_clear(vg_trace *t);
void vg_trace_destroy(vg_trace *t);
