/*
 * submission.h: the file to be graded, read once and checked before anything is built.
 */
#ifndef GRADING_SUBMISSION_H
#define GRADING_SUBMISSION_H

#include "grading/src/build/refusal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No lab file comes near this; what is larger is not one. */
#define SUBMISSION_MAX_BYTES ((size_t)1 << 20)

struct submission {
    char *path;  /* as the user gave it, or relative to the kit when it is a lab's own file */
    char *name;  /* the file's name, as diagnostics must show it */
    char *bytes; /* contents, NUL-terminated */
    size_t length;
    enum refusal refusal; /* why it gets no points as it is; REFUSED_NOT: it may be built */
    uint64_t hash;        /* of the contents: tells an edited file from the graded one, no more */
};

enum submission_state {
    SUBMISSION_OK,
    SUBMISSION_NOT_THERE, /* missing, unreadable, a folder: nothing that could be graded */
    SUBMISSION_REFUSED,   /* something was handed in, but no program: no points */
};

/* Reads `path`; messages call the file `shown`. When not OK, `why` is one complete line without a
 * newline; s is valid (for reports) but its contents are not to be used. */
enum submission_state submission_read(struct submission *s, const char *path, const char *shown,
                                      char *why, size_t room);
void submission_free(struct submission *s);

uint64_t submission_hash(const char *bytes, size_t length);

#endif
