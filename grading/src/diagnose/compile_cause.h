/*
 * compile_cause.h: an everyday mistake behind a compiler's error, in a sentence for beginners.
 *
 * It goes by the place that the compiler names and by the text that stands there, never by the
 * compiler's words, which differ from one compiler to the next. A rule that is not sure is silent.
 */
#pragma once

#include "grading/src/base/text.h"

struct compile_error {
    const char *source; /* the submission's text */
    int line, column;   /* from 1; column 0: the compiler does not tell it */
};

/* Adds the sentence to `t`. Returns the mistake's name in handouts/causes.tsv, where a section may
 * stand that helps; NULL: no everyday mistake is seen there, and nothing is added. */
const char *compile_cause(const struct compile_error *e, struct text *t);
