/*
 * build.h: from the submission's text to a worker program that calls its functions.
 *
 * The compiler runs inside the scratch folder on a copy that carries the submission's own name, so
 * that its messages read as the student knows the file. It is started through argv, never a shell,
 * as a child inside the walls of sandbox.h: what it may read is itself and the machine's compilers.
 *
 * Whose fault a failure is gets found out, not guessed: when the submission does not build, a small
 * program of ours is built with the same commands. If that fails too, it is the machine's. A
 * compiler that breaks down on the submission alone does so because of what stands in it. How
 * processes ended is all that decides: what they say, a file can make them say.
 */
#pragma once

#include "grading/src/base/text.h"
#include "grading/src/build/backend.h"
#include "grading/src/build/flags.h"
#include "grading/src/build/messages.h"
#include "grading/src/build/refusal.h"
#include "grading/src/build/submission.h"
#include "grading/src/lab/labs.h"
#include "grading/src/sandbox/sandbox.h"

enum build_outcome {
    BUILD_OK,
    BUILD_REFUSED,    /* the submission does not compile, link, or offer what the lab asks for */
    BUILD_NOT_GRADED, /* the machine's compiler does not work, or the build was interrupted */
};

struct build {
    enum build_outcome outcome;
    enum refusal refusal;       /* why, when BUILD_REFUSED */
    struct message_place error; /* where it does not compile, or makes a tool crash; 0: unknown */
    struct message_place unset; /* where a variable is used that has no value yet; 0: nowhere ... */
    char *unset_words;          /* ... and the compiler's warning of it */
    struct message_place pointer_size; /* the size of a pointer is taken for that of what it points
                                          to; line 0: nowhere */
    char *pointer_size_words;
    struct text headline; /* one line; empty when all is well */
    struct text details;  /* the compiler's first messages, cleaned: errors, or (BUILD_OK)
                              warnings; may be empty */
    char *program;        /* the worker, when BUILD_OK */
    struct renaming {
        char *from, *to;
    } renaming[8];      /* paths inside the scratch folder and what the student calls them */
    struct flags flags; /* what is unusual, for a human to look at; costs nothing */
    unsigned missing;   /* functions the lab asks for and the submission lacks (bit set) */
};

void build_submission(struct build *b, const struct submission *s, const struct lab_spec *lab,
                      const struct backend *backend, const struct paths *paths, const char *scratch,
                      const struct sandbox *sandbox);

/* Builds a worker around a right answer of our own: what cannot run this cannot grade. */
void build_probe(struct build *b, const struct lab_spec *lab, const struct backend *backend,
                 const struct paths *paths, const char *scratch, const struct sandbox *sandbox);

/* Builds a worker around cuBLAS, for the time beside the submission's (times.h). */
void build_cublas(struct build *b, const struct backend *backend, const struct paths *paths,
                  const char *scratch, const struct sandbox *sandbox);

/* Gives files in messages the names that the student knows them by. */
void build_known_names(const struct build *b, struct text *t);

/* The same submission for a film: vgpucc -g. It has been built before, and is not judged again. */
void build_watched(struct build *b, const struct submission *s, const struct lab_spec *lab,
                   const struct backend *backend, const struct paths *paths, const char *scratch,
                   const struct sandbox *sandbox);
/* And for the debugger: with a main that makes the calls of a file (grading/src/lab/held.h). */
void build_held(struct build *b, const struct submission *s, const struct lab_spec *lab,
                const struct backend *backend, const struct paths *paths, const char *scratch,
                const struct sandbox *sandbox);
void build_free(struct build *b);
