/*
 * submission.h: the file to be graded, read once and checked before anything is built.
 *
 * A student's file may be anything that a file system holds. A link could lead to a solution, or to
 * what only the grader's account may read and its messages would quote; so links are refused, as
 * are folders, pipes and devices, and that is the student's doing.
 */
#pragma once

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

/* Who says which file it is. */
enum submission_from {
    SUBMISSION_HANDED_IN, /* a program, where a student's file is put: it must be a file */
    SUBMISSION_TYPED,     /* a person at a terminal, who may name a link, and mistypes */
};

enum submission_state {
    SUBMISSION_OK,
    SUBMISSION_NOT_THERE, /* missing or unreadable; or typed, and no file */
    SUBMISSION_REFUSED,   /* something was handed in, but no program: no points */
};

/* Reads `path`; messages call the file `shown`. When not OK, `why` is one complete line without a
 * newline; s is valid (for reports) but its contents are not to be used. */
enum submission_state submission_read(struct submission *s, enum submission_from from,
                                      const char *path, const char *shown, char *why, size_t room);
/* Is somebody there, who types commands and reads what comes of them? */
enum submission_from submission_asked_by(void);
/* Where a link leads; NULL: the path is none. The caller frees it. */
char *submission_link(const char *path);
void submission_free(struct submission *s);

uint64_t submission_hash(const char *bytes, size_t length);
