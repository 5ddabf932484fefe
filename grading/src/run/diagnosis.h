/*
 * diagnosis.h: what is likely to be wrong with a submission, in words for its author.
 *
 * A diagnosis names a class of mistakes (column `class` of tests/zoo/manifest.tsv) only when a test
 * of it came out exactly; else `class` is NULL and the sentence says what was seen, no more.
 */
#pragma once

#include "grading/src/base/text.h"

struct diagnosis {
    const char *class;    /* a string literal; NULL: unsure */
    struct text sentence; /* one to three sentences; empty: nothing was found out */
    struct text evidence; /* how that is known */
    char *file;           /* of the submission; NULL: unknown */
    int line;             /* 0: unknown */
    const char *topic;    /* "@launch": its section counts, not the class's; or NULL */
    char *section;        /* of the handouts, "lab3.md#barriers"; NULL: none */
};

void diagnosis_free(struct diagnosis *d);
