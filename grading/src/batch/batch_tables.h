/*
 * batch_tables.h: what came of a class, counted: a row for each student, and what the summary
 * tells.
 *
 * Everything is read from the result files, so a batch graded in parts, on many machines or over
 * days, gives the same tables. Students without a grade have empty points, never 0.
 */
#ifndef GRADING_BATCH_TABLES_H
#define GRADING_BATCH_TABLES_H

#include "grading/src/batch/batch.h"
#include "grading/src/lab/rubric.h"

#define BINS 11 /* of ten points each, and full marks */

struct criterion {
    const char *name, *title;
    double possible;
    int lost, judged;
};

struct mistake {
    char *name;
    int count;
};

struct tables {
    const struct batch *b;
    struct rubric rubric;
    struct criterion *criterion;
    size_t criteria;
    struct mistake *mistake;
    size_t mistakes;
    struct text csv, entries;
    size_t rows, entry_rows; /* of the two, without their heads */
    int graded, not_graded, nothing, unknown, refused, flagged, full;
    int missing, stray; /* with a roster: on it without a submission; a grade, and not on it */
    double sum;
    double *scores;
    int bins[BINS];
    struct text without; /* who has no grade, and why; a line each */
    struct text strays;  /* who is not on the roster; a line each */
    struct text import;  /* the gradebook in the platform's own columns */
    char *import_name;   /* its file's name; NULL: there is no roster */
};

/* Reads the results and counts. False: `why`. Free the tables when true. */
bool tables_collect(struct tables *t, const struct batch *b, struct text *why);
void tables_free(struct tables *t);
/* The tables say what they say of everything that was handed in, or nothing at all. False: our own
 * mistake, which `why` tells. */
bool tables_account(const struct tables *t, struct text *why);

#endif
