/* options.c: see options.h. */
#include "bench/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_USAGE = 2, DEFAULT_LAUNCHES = 20, MAX_LAUNCHES = 10000, MAX_RANDOM = 10000 };

static const double default_cap = 5;

static const char help[] =
    "usage: %s [options]\n"
    "\n"
    "Times products of matrices and checks each of them.\n"
    "\n"
    "  --contender NAME:RULES=LIBRARY  lab3:own,square32=..., or yours=... (bench/contender.h)\n"
    "  --sets NAME,...               sets of shapes: square, ragged, thin, hundreds, thousands,\n"
    "                                printed (default: all)\n"
    "  --shape MxNxK                 this product alone: A M x K, B K x N\n"
    "  --random N                    N products whose m, n and k the seed draws from 16 to 8192\n"
    "  --only NAME,...               these contenders alone, and cuBLAS\n"
    "  --max N                       leave out shapes with a size above N\n"
    "  --launches N                  timed launches of each contender and shape (default: 20)\n"
    "  --cap SECONDS                 fewer launches where they would take longer (default: 5)\n"
    "  --cold                        empty the caches before each launch\n"
    "  --no-cpu                      leave out what runs on the CPU\n"
    "  --seed N                      of the random matrices and of --random (default: 1)\n"
    "  --csv FILE, --json FILE       write the results there\n"
    "  --try NAME=LIBRARY            check one contender's results on some shapes, time nothing\n"
    "  --help                        this text\n"
    "\n"
    "Exit status: 0, 1 when a product was wrong or work on the device failed, 2 when nothing could "
    "be\n"
    "measured.\n";

/* A whole number from low to high; false otherwise. */
static bool whole(const char *text, long low, long high, long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *value >= low && *value <= high;
}

static bool seconds(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value > 0 && *value < 1e6;
}

static bool read_shape(const char *text, struct shape *s) {
    char rest;
    return sscanf(text, "%dx%dx%d%c", &s->m, &s->n, &s->k, &rest) == 3 && s->m > 0 && s->n > 0 &&
           s->k > 0;
}

static bool known_sets(const char *names) {
    for (size_t len; *names; names += len + (names[len] == ',')) {
        len = strcspn(names, ",");
        if (!shape_set_find(names, len))
            return false;
    }
    return true;
}

/* One option's value; false when it makes no sense. */
static bool take(struct bench_options *o, int option, const char *value) {
    long number = 0;
    bool fine = true;
    switch (option) {
    case 'c':
        fine = o->contenders < CONTENDERS;
        if (fine)
            o->contender[o->contenders++] = value;
        break;
    case 's':
        o->sets = value;
        fine = known_sets(value);
        break;
    case 'S': fine = read_shape(value, &o->shape); break;
    case 'r':
        fine = whole(value, 1, MAX_RANDOM, &number);
        o->random = (int)number;
        break;
    case 'o':
        o->only = value;
        fine = *value != '\0';
        break;
    case 'm':
        fine = whole(value, 1, 1L << 30, &number);
        o->largest = (int)number;
        break;
    case 'l':
        fine = whole(value, 1, MAX_LAUNCHES, &number);
        o->launches = (int)number;
        break;
    case 'p': fine = seconds(value, &o->cap); break;
    case 'C': o->cold = true; break;
    case 'n': o->no_cpu = true; break;
    case 'e':
        fine = whole(value, 0, 1L << 62, &number);
        o->seed = (uint64_t)number;
        break;
    case 'v': o->csv = value; break;
    case 'j': o->json = value; break;
    default: o->try_library = value; break;
    }
    return fine;
}

bool options_read(struct bench_options *o, int argc, char **argv, int *status) {
    static const struct option table[] = {
        {"contender", required_argument, NULL, 'c'},
        {"sets", required_argument, NULL, 's'},
        {"shape", required_argument, NULL, 'S'},
        {"random", required_argument, NULL, 'r'},
        {"only", required_argument, NULL, 'o'},
        {"max", required_argument, NULL, 'm'},
        {"launches", required_argument, NULL, 'l'},
        {"cap", required_argument, NULL, 'p'},
        {"cold", no_argument, NULL, 'C'},
        {"no-cpu", no_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 'e'},
        {"csv", required_argument, NULL, 'v'},
        {"json", required_argument, NULL, 'j'},
        {"try", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    const char *slash = strrchr(argv[0], '/');
    *o = (struct bench_options){.program = slash ? slash + 1 : argv[0],
                                .launches = DEFAULT_LAUNCHES,
                                .cap = default_cap,
                                .seed = 1};
    int option;
    int index = 0;
    while ((option = getopt_long(argc, argv, "h", table, &index)) != -1) {
        if (option == 'h') {
            printf(help, o->program);
            *status = EXIT_SUCCESS;
            return false;
        }
        if (option == '?' || !take(o, option, optarg)) {
            if (option != '?')
                fprintf(stderr, "%s: --%s %s makes no sense: see --help\n", o->program,
                        table[index].name, optarg);
            *status = STATUS_USAGE;
            return false;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "%s: what is '%s'? See --help\n", o->program, argv[optind]);
        *status = STATUS_USAGE;
        return false;
    }
    return true;
}

void options_text(const struct bench_options *o, char *text, size_t size) {
    char shape[SHAPE_TEXT + 16] = "";
    char random[32] = "";
    char largest[32] = "";
    if (o->shape.m)
        snprintf(shape, sizeof shape, " shape %dx%dx%d", o->shape.m, o->shape.n, o->shape.k);
    if (o->random)
        snprintf(random, sizeof random, " random %d", o->random);
    if (o->largest)
        snprintf(largest, sizeof largest, " max %d", o->largest);
    snprintf(text, size, "%s%s%s%s launches %d cap %g s seed %llu%s%s%s%s%s",
             o->cold ? "cold" : "warm", shape, random, largest, o->launches, o->cap,
             (unsigned long long)o->seed, o->sets ? " sets " : "", o->sets ? o->sets : "",
             o->only ? " only " : "", o->only ? o->only : "", o->no_cpu ? " no-cpu" : "");
}
