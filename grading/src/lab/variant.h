/*
 * variant.h: what a term's course has otherwise than the kit, as its instructor wrote it.
 *
 * A file for libconfig with the names of functions and parameters, and a group for each lab that
 * differs. docs/course.md describes it for instructors. Everything in it is refused that is not
 * exactly right, with its line: an unknown word, a variation that a lab does not take (`varies` in
 * its descriptor), words that contradict each other.
 */
#pragma once

#include "grading/src/base/text.h"
#include "grading/src/lab/labs.h"

#include <stdbool.h>
#include <stddef.h>

/* What has a name of its own: the functions of common/lab.h, and their parameters. */
#define VARIANT_NAMES(X)                                                                           \
    X(CPU, "matmul_cpu")                                                                           \
    X(HOST, "matmul_host")                                                                         \
    X(DEVICE, "matmul_device")                                                                     \
    X(M, "m")                                                                                      \
    X(N, "n")                                                                                      \
    X(K, "k")                                                                                      \
    X(A, "A")                                                                                      \
    X(B, "B")                                                                                      \
    X(C, "C")
#define X(capitals, name) VARIANT_NAME_##capitals,
enum variant_name { VARIANT_NAMES(X) VARIANT_NAME_COUNT };
#undef X

/* How one lab differs. What is not in `given` is as the kit has it. */
struct lab_variant {
    const struct lab_spec *lab;
    unsigned given;       /* bit set of enum lab_variation */
    int tile;             /* VARY_TILE: 8, 16 or 32 */
    struct layout layout; /* VARY_A_LAYOUT, VARY_B_LAYOUT: always transposed where given */
    int padding;          /* VARY_PADDING: a multiple of 8; no layout is given then */
    int alpha, beta;      /* VARY_ALPHA, VARY_BETA: both or none, -4 to 4, not 0 */
    int threads[2];       /* VARY_THREADS: x is 8, 16 or 32, y 1 to 32; whole warps */
};

struct variant {
    char *name[VARIANT_NAME_COUNT]; /* NULL: as in the kit; owned */
    struct lab_variant *labs;       /* owned */
    size_t count;
};

/* Reads the file. False: *v is empty, and `why` has file, line and reason. The labs must outlive
 * *v; free it with variant_free. */
bool variant_read(struct variant *v, const struct labs *labs, const char *file, struct text *why);
void variant_free(struct variant *v);

/* The name that the kit has. */
const char *variant_plain_name(enum variant_name which);

/* Writes what the file says for a program, a fact a line: "name PLAIN NAME",
 * "lab3 tile 16", "lab2 threads 16 8". */
void variant_facts(struct text *t, const struct variant *v);
