/*
 * bench.h: reads what figures need of the benchmark's CSV: how long each contender took for square
 * matrices. The columns are found by their names; lines that begin with '#' are comments.
 */
#pragma once

#include <stdbool.h>

enum { BENCH_TIMES = 512 };

struct bench_time {
    char contender[24];
    int n;
    double seconds; /* the median */
};

struct bench {
    int count;
    struct bench_time time[BENCH_TIMES];
};

/* False, with a message on standard error, when the file is missing or malformed. */
bool bench_read(const char *path, struct bench *b);

/* The seconds of a contender at this n; ends the program when they were not measured. */
double bench_seconds(const struct bench *b, const char *contender, int n);
