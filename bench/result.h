/*
 * result.h: what was measured, and its three forms: a printed table, CSV and JSON.
 *
 * One result is one contender's product of one shape. A number that is not known is NaN here, empty
 * in the CSV and null in the JSON. The CSV begins with lines "# name: value", the machine's facts.
 *
 * Nothing is measured or judged here.
 */
#pragma once

#include "bench/shapes.h"
#include "bench/stats.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum verdict {
    VERDICT_RIGHT,     /* every element looked at is within its bound */
    VERDICT_WRONG,     /* at least one is not, or is no number */
    VERDICT_NOT_FP32,  /* within the bound, but inputs were rounded on the way: see contender.h */
    VERDICT_UNCHECKED, /* there is nothing to check (copies) */
    VERDICT_NOT_RUN,   /* see the note */
};

enum { RESULT_NAME = 24, RESULT_NOTE = 96 };

struct result {
    char set[RESULT_NAME], contender[RESULT_NAME];
    struct shape shape;
    bool cold;          /* the caches were emptied before each launch */
    int launches;       /* timed ones */
    struct spread time; /* seconds */
    double of_cublas;   /* speed as a share of cuBLAS' in the same run, 1 = equal */
    double of_peak;     /* ... of the chip's peak */
    double clock_mhz;   /* of the multiprocessors, while this contender ran */
    enum verdict verdict;
    int checked_rows; /* rows of C that were compared with the reference, element by element */
    uint64_t wrong;   /* elements beyond their bound */
    double worst;     /* largest error in units of its bound: right while <= 1 */
    int timed_rows;   /* rows computed in each launch: below m where time was scaled up (CPU) */
    char note[RESULT_NOTE]; /* no comma, no quotes, no line ends */
};

/* What the machine is. Texts are empty and numbers NaN or 0 where not known. */
struct machine {
    char gpu[256], driver[64], cuda[32], cublas[32], cpu[128], blas[128];
    int capability; /* 90 for 9.0 */
    int multiprocessors;
    double max_clock_mhz, peak_gflops, copy_gbs, l1_gbs, l2_mb, empty_launch_us;
    double clock_min_mhz, clock_median_mhz, clock_max_mhz, power_max_w, temperature_max_c;
    char throttled[96]; /* why the clock was below its maximum, "no" if it was not */
    int cores;          /* of the CPU */
    char options[256];  /* those of this run */
};

/* A growing list. The caller frees it with results_free. */
struct results {
    struct result *items;
    int count, room;
};

/* Appends a copy; ends the program when memory is short. */
void results_add(struct results *all, const struct result *r);
void results_free(struct results *all);

/* An empty result: all numbers unknown. */
struct result result_start(const char *set, const char *contender, struct shape shape);

/* 10^9 operations a second by the median; NaN without a time. */
double result_gflops(const struct result *r);

/* Fills of_cublas and of_peak of the results from `first` on, which are of one shape. */
void results_relate(struct results *all, int first, double peak_gflops);

const char *verdict_name(enum verdict v);

/* The table: a heading, then the results of one shape. */
void table_heading(FILE *out, const char *set);
void table_shape(FILE *out, const struct result *r, int count);

/* A line for each contender but cuBLAS that has shares of its speed in at least two shapes: their
 * geometric mean, in how many it is at least as fast, and where it is slowest. */
void table_summary(FILE *out, const struct result *r, int count);

/* Whole files. Return 0 or an errno. */
int results_write_csv(const char *path, const struct machine *m, const struct results *all);
int results_write_json(const char *path, const struct machine *m, const struct results *all);
