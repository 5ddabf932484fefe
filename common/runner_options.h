/*
 * runner_options.h: the command line of a lab program, as data.
 *
 *     lab3 [options] [size | m k n]
 *
 * m, k and n stand in the order in which a product is read: A is m x k, B is k x n. One number
 * means three equal ones. Parsing prints nothing and ends nothing; refused input comes back as one
 * line of text.
 */
#pragma once

#include "common/runner.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum run_inputs {
    RUN_INTEGERS, /* -8..8, fewer for a large k: float32 is exact, so any difference is a mistake */
    RUN_COUNTS,   /* A from 0, 1, 2 and B from 0, 1: results that can be checked by eye */
    RUN_REALS,    /* [-1, 1): judged by the error bound */
};

struct run_options {
    int m, n, k;
    uint64_t seed;
    enum run_inputs inputs;
    bool help;
};

enum { RUN_OPTIONS_ERROR = 256 };

/* Fills *o from argv[1..argc-1]. A lab of square tiles refuses other sizes. Returns true, or false
 * with one line in error that says what is wrong. After --help only help is set. */
bool run_options_parse(const struct run_build *build, int default_size, int argc, char **argv,
                       struct run_options *o, char error[RUN_OPTIONS_ERROR]);

/* Reads a whole number from low to high. False for anything else: empty, trailing characters,
 * signs, spaces, out of range. */
bool run_parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *value);
