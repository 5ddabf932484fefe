/*
 * flags.h: what is unusual about a submission, for a human to look at.
 *
 * A matrix product needs no files, no signals and no functions of its own in place of CUDA's. Code
 * that has them may still be honest, and code without them may cheat in ways no rule knows: so a
 * flag is shown, and costs no point; a few names alone are refused (flags_forbidden). What protects
 * the points is that the grader judges raw results outside the process,
 * and the walls of sandbox.h.
 */
#pragma once

#include "grading/src/base/text.h"

#include <stddef.h>

struct flag {
    const char *rule;    /* its key: "replaces-cuda" */
    const char *meaning; /* one line on what the rule is about */
    struct text what;    /* what was found: names, separated by ", " */
};

#define FLAGS_MOST 16
struct flags {
    struct flag of[FLAGS_MOST];
    size_t count;
};

/* What of an object would let a submission stand between the grader and what it counts: functions
 * of the C library that the worker relies on, defined anew; the virtual GPU's or the worker's own
 * functions, used; and code that runs before every constructor, when the virtual GPU takes its
 * settings. A file with any of it is refused; one with the last only in a lab of the CPU. */
struct forbidden {
    struct text replaced; /* "write": defined */
    struct text internal; /* "vgpu_reset_counters": used */
    struct text early;    /* ".preinit_array": a section, or a function that is a resolver */
    struct text borrowed; /* "cblas_sgemm": used, where a product by loops of one's own is asked
                             for: a BLAS, the GPU, or the means to look either up */
};
void flags_forbidden(struct forbidden *f, const unsigned char *object, size_t object_bytes);
void forbidden_free(struct forbidden *f);

/* Looks at the source and, unless it is NULL, at the object made of it. Both may hold anything. */
void flags_find(struct flags *f, const char *source, size_t length, const unsigned char *object,
                size_t object_bytes);
/* Adds what was seen while it ran, as one text. */
void flags_note(struct flags *f, const char *rule, const char *meaning, const char *what);
void flags_free(struct flags *f);
