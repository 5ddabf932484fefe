/*
 * report.h: the report of a program's run, as JSON; README.md describes the format.
 *
 * A reader never sees half a report: it is written beside its place and then renamed. Reports are
 * written now and then while the program runs ("complete": false), so that one remains whatever
 * ends the program, and a last time when it exits.
 */
#pragma once

#include "vgpu/src/check/findings.h"
#include "vgpu/src/core/profile.h"
#include "vgpu/src/count/log.h"

#include <stdio.h>

enum { VG_REPORT_FORMAT = 1 };

typedef struct vg_report {
    const vg_log *log;
    const vg_profile *profile; /* NULL: no device */
    uint64_t peak_memory;
    bool complete;
    const vg_findings *findings;  /* of the checkers; NULL: none */
    const struct vg_trace *trace; /* NULL: nobody asked for it */
} vg_report;

void vg_report_print(const vg_report *r, FILE *to);
/* False with errno set: nothing is left behind, and what was at `path` before still is. */
bool vg_report_write(const vg_report *r, const char *path);
