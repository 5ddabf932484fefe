/*
 * install.h: where the runtime meets the counters.
 *
 * Counting is on when VGPU_REPORT names a file, or once the program calls vgpu_counters_enable.
 * "%p" in the file's name becomes the process's number. A forked child writes no report.
 */
#pragma once

#include "vgpu/src/count/report.h"

#include <stdbool.h>

/* Reads VGPU_REPORT, once, and has the report written at exit. To be called when the runtime
 * starts, so that a program that launches nothing writes a report, too. profile: that of the
 * device, NULL when there is none. */
void vg_count_start(const vg_profile *profile);

/* Registers the counters with an executor, once, if counting is on. To be called before each
 * launch. False when out of memory. */
bool vg_count_install(vg_exec *exec);

/* The list of what the checkers found, for the report; it must live until the program ends, or
 * until this is called again. NULL: none. What it finds at exit (leaks) must be in it before the
 * handler runs that vg_count_start registers: register later, run earlier. */
void vg_count_findings(const vg_findings *list);

/* What the launch that ended last counted, line by line; NULL: nothing, or added up with others
 * already. Holds until the next launch. */
const vg_launch_record *vg_count_last(void);

/* Writes the report now, if VGPU_REPORT asks for one. complete: nothing will follow. */
void vg_count_write(bool complete);
