/*
 * log.h: what is kept of the launches of a program's run.
 *
 * Memory is bounded. The first VG_LOG_LAUNCHES launches are kept one by one, as long as they have
 * fewer than VG_LOG_LINES source lines between them; later ones are added up by kernel, grid, block
 * and dynamic shared memory, VG_LOG_SUMS such sums at most; what comes then still counts in the
 * totals. Nothing is sampled.
 *
 * Not thread safe: the caller locks.
 */
#pragma once

#include "vgpu/src/core/core.h"
#include "vgpu/src/count/counters.h"

enum { VG_LOG_LAUNCHES = 1000, VG_LOG_LINES = 50000, VG_LOG_SUMS = 1000 };

typedef struct vg_line_counts {
    const char *file; /* "" when unknown; interned, see vg_log_intern */
    int line;         /* 0 when unknown, as for instructions that the optimiser merged */
    vg_counts counts;
} vg_line_counts;

typedef struct vg_launch_record {
    const char *kernel, *symbol; /* demangled and as in the PTX; interned */
    vg_dim3 grid, block;
    uint32_t static_shared, dynamic_shared, local_bytes;
    uint64_t count;  /* launches added up in here */
    uint64_t first;  /* number of the (first) launch, from 0 */
    char *fault;     /* first line of what stopped it, or NULL */
    bool incomplete; /* out of memory while counting */
    vg_counts counts;
    vg_line_counts *lines; /* sorted by file and line, none all zeros; owned */
    int num_lines;
} vg_launch_record;

typedef struct vg_log {
    vg_launch_record *records;
    int num_records, num_single; /* the first num_single are single launches */
    int num_lines;
    uint64_t launches; /* in all */
    uint64_t unlisted; /* in the totals only */
    vg_counts totals;
    vg_counts last; /* of the launch added last */
    char **strings;
    int num_strings;
} vg_log;

/* Takes the record over, record->lines and record->fault included; *record is empty afterwards. */
void vg_log_add(vg_log *log, vg_launch_record *record);
/* A copy of text that lives as long as the log; "" when out of memory.
 * Equal texts, equal pointers. */
const char *vg_log_intern(vg_log *log, const char *text);
/* Forgets the launches, keeps the strings. */
void vg_log_clear(vg_log *log);
void vg_log_free(vg_log *log);

/* For sorting lines by file and line. */
int vg_line_order(const void *a, const void *b);
