/*
 * vgpu-report.h: the parts of vgpu-report, which prints what VGPU_REPORT wrote.
 *
 *     report_read    JSON -> struct report             vgpu-report-read.c
 *     print_launch   summary of a launch               vgpu-report-print.c
 *     print_source   its source, line by line          vgpu-report-source.c
 */
#pragma once

#include "vgpu/src/core/profile.h"
#include "vgpu/src/count/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct source_line {
    const char *file;
    int line;
    vg_counts counts;
} source_line;

typedef struct launch_entry {
    const char *kernel, *symbol;
    vg_dim3 grid, block;
    uint64_t first, count;
    uint64_t shared, local_bytes; /* static + dynamic bytes a block; bytes a thread */
    const char *fault;            /* NULL: it ran to its end */
    bool incomplete;
    vg_counts counts;
    source_line *lines; /* sorted by file and line */
    int num_lines;
    uint64_t alike; /* launches after it in the report that differ in nothing */
} launch_entry;

typedef struct finding_entry {
    const char *kind, *severity, *kernel, *file, *message;
    int line;
} finding_entry;

/* Strings belong to the JSON tree, which lives as long as the report. */
typedef struct report {
    void *tree;
    bool complete;
    const char *device; /* key of the profile, NULL: none */
    uint64_t peak_bytes, launches_in_all, unlisted;
    launch_entry *launches;
    int num_launches;
    finding_entry *findings;
    int num_findings;
} report;

/* False with one line in err (no newline) when the file can't be read or is no report. */
bool report_read(report *r, const char *path, char *err, size_t len);
void report_free(report *r);
/* Launches that follow one just like them, counters and all, become one entry. */
void report_merge_alike(report *r);

/* How to print. */
typedef struct view {
    const vg_profile *profile; /* whose occupancy and model; NULL: neither */
    const char *source;        /* folder to look for sources in, or NULL   */
    int width;                 /* columns                                  */
    bool color;
} view;

void print_launch(const launch_entry *l, const view *v);
void print_source(const launch_entry *l, const report *r, const view *v);
/* kernel: only its findings, and those of no kernel; NULL: all. */
void print_findings(const report *r, const char *kernel, const view *v);
/* One line for each counter: kernel, launch, grid, block, count, name, value, tab-separated; and
 * the model's time, if there is a device. */
void print_table(const report *r, const view *v);

/* "\033[1m" … when v->colour, else "". */
enum style { PLAIN, BOLD, DIM, RED, YELLOW, GREEN };
const char *style(const view *v, enum style s);
/* 1234567 as "1,234,567", in one of a few static buffers. */
const char *grouped(uint64_t n);
/* At most six characters: "123456", "1.23M". */
const char *brief(uint64_t n);
