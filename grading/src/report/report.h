/*
 * report.h: formats of the result, each behind the same few calls.
 *
 * A reporter is told when a run begins (before anything is built), of every case and check as it is
 * done, and of the end. It only reads the context. There are two kinds:
 *
 *   streams (text)     print through begin, built, case_done, check_done, end: the head at once;
 *                      what the end shows last, its tables, is kept meanwhile;
 *   documents (json)   write the whole result anew in `write`.
 *
 * A file appears whole or not at all (it is written beside its place and moved there), and a new
 * one after every case and check: who kills a run finds a valid result which says that it is none
 * yet. What the submission prints never goes to a reporter's file by itself.
 */
#pragma once

#include "grading/src/base/terminal.h"
#include "grading/src/run/context.h"

#include <stdbool.h>
#include <stdio.h>

/* The columns of a line where nothing is narrower. */
#define REPORT_COLUMNS TEXT_COLUMNS

struct reporter {
    FILE *out;
    bool colour; /* the output is a terminal that wants it */
    bool final;  /* the run is over; a document written before says that it is not */
    bool verbose;
    int columns;  /* of a line */
    int points;   /* columns of the points in a table */
    FILE *tables; /* NULL, or a stream's tables, which are kept for its end */
    void (*begin)(struct reporter *r, const struct grade_context *g);
    void (*built)(struct reporter *r, const struct grade_context *g);
    void (*case_done)(struct reporter *r, const struct grade_context *g,
                      const struct case_result *result);
    void (*check_done)(struct reporter *r, const struct grade_context *g,
                       const struct check_result *result);
    void (*end)(struct reporter *r, const struct grade_context *g);
    void (*write)(struct reporter *r, const struct grade_context *g);
    /* For the machinery in report.c: */
    char *path;      /* where the result goes; NULL for standard output and devices */
    char *temporary; /* a stream's text so far, beside `path` */
    char *kept;      /* what `tables` holds */
    size_t kept_bytes;
};

/* All reporters of a run. */
struct reporters {
    struct reporter one[CLI_MAX_FORMATS];
    int count;
};

/* What is to be said of a product that is right on a GPU, and not on the virtual GPU. */
const char *report_forgiven(const struct case_result *c);

/* Whether an unmet check's cause is another one than that of the case told before it;
 * false without a cause. */
bool report_cause_is_new(const struct grade_context *g, const struct diagnosis *d);

/* "9 cases were not run, since ...": once for all of them. Adds nothing when all were run. */
void report_not_run(struct text *t, const struct grade_context *g);

bool report_known(const char *format);

/* Opens what --format asked for. False, with `why`, when a file cannot be written, or --answers has
 * no such format. */
bool reporters_open(struct reporters *r, const struct options *options, char *why, size_t room);
void reporters_begin(struct reporters *r, const struct grade_context *g);
void reporters_built(struct reporters *r, const struct grade_context *g);
void reporters_case(struct reporters *r, const struct grade_context *g,
                    const struct case_result *result);
void reporters_check(struct reporters *r, const struct grade_context *g,
                     const struct check_result *result);
/* Writes the results out and closes. False when something could not be written. */
bool reporters_end(struct reporters *r, const struct grade_context *g, char *why, size_t room);

/* Closes without a result; files stay as the last case left them. */
void reporters_drop(struct reporters *r);

/* Writes a text into a file, which appears whole or not at all, or to standard output where path is
 * NULL. False: `why` is one line. */
bool report_put(const char *path, const char *bytes, char *why, size_t room);

/* A stream's tables so far, printed on `out`. */
void reporter_print_tables(const struct reporter *r, FILE *out);

/* The names of all formats, for messages: "text, json, gradescope, ...". */
void report_names(struct text *t);

/* The formats, each once: its name, and what --answers makes of it ("none": nothing). A format is a
 * line here and a file report_NAME.c, which defines report_NAME_setup. */
#define REPORT_FORMATS(X)                                                                          \
    X(text, answers_text)                                                                          \
    X(json, answers_json)                                                                          \
    X(gradescope, gradescope)                                                                      \
    X(prairielearn, prairielearn)                                                                  \
    X(autolab, autolab)                                                                            \
    X(vpl, vpl)                                                                                    \
    X(classroom50, classroom50)                                                                    \
    X(junit, junit)                                                                                \
    X(tap, tap)                                                                                    \
    X(csv, csv)                                                                                    \
    X(html, none)                                                                                  \
    X(editor, none)
#define REPORT_SETUP(name, answers) void report_##name##_setup(struct reporter *r);
REPORT_FORMATS(REPORT_SETUP)
#undef REPORT_SETUP
void report_answers_text_setup(struct reporter *r); /* report_answers.c */
void report_answers_json_setup(struct reporter *r);

/* Appends a word as a shell takes it. */
void report_word(struct text *t, const char *word);

/* The command that repeats a run, or one case of it; without a name, of those that were asked for.
 */
void report_command(struct text *t, const struct grade_context *g, const char *case_name);
