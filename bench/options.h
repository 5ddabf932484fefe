/*
 * options.h: the command lines of the two benchmark programs, bench-gpu and bench-cpu.
 */
#pragma once

#include "bench/contender.h"

#include <stdbool.h>
#include <stdint.h>

struct bench_options {
    const char *program;
    const char *contender[CONTENDERS]; /* as given: NAME=LIBRARY, for contender_load */
    int contenders;
    const char *sets;   /* comma-separated names of shape sets; NULL: all */
    struct shape shape; /* --shape: this product alone; m = 0: none */
    int random;         /* --random: so many shapes drawn by the seed; 0: none */
    const char *only;   /* comma-separated names of contenders; NULL: all */
    int largest;        /* shapes with a larger size are left out; 0: none is */
    int launches;       /* timed ones, of each contender and shape */
    double cap;         /* seconds after which fewer launches do */
    bool cold;          /* empty the caches before each launch */
    bool no_cpu;        /* leave the CPU's products out */
    uint64_t seed;
    const char *csv, *json;  /* files to write; NULL: none */
    const char *try_library; /* bench-gpu only: try this contender, time nothing */
};

/* Reads the command line. Returns true to go on; else *status is the exit status, and help or a
 * message has been printed. */
bool options_read(struct bench_options *o, int argc, char **argv, int *status);

/* The options that shape the results, as text for the record. */
void options_text(const struct bench_options *o, char *text, size_t size);
