/*
 * batch_tables.h: what came of a class, counted: a row for each student, and what the summary
 * tells.
 *
 * Everything is read from the result files, so a batch graded in parts, on many machines or over
 * days, gives the same tables. Students without a grade have empty points, never 0.
 */
#pragma once

#include "grading/src/batch/batch.h"
#include "grading/src/batch/batch_board.h"
#include "grading/src/lab/rubric.h"

#define BINS 11 /* of ten points each, and full marks */

/* A class of mistake, and who made it. */
struct mistake {
    char *name;
    int count;
    struct text who; /* names, with commas between; empty where nobody asked for them */
};

struct mistakes {
    struct mistake *of; /* the most frequent first */
    size_t count;
};

/* A case or a check. A file that was refused, and a check that waits for right products, have lost
 * it to something else: they count for neither number. */
struct criterion {
    const char *name, *title;
    double possible;
    int lost, judged;
    double points_lost;
    struct mistakes why; /* the likely causes of those who lost it */
};

struct tables {
    const struct batch *b;
    struct rubric rubric;
    struct criterion *criterion;
    size_t criteria;
    struct mistakes mistakes;
    struct class_board board;
    struct text csv, entries;
    size_t rows, entry_rows; /* of the two, without their heads */
    int graded, not_graded, nothing, other, unknown, refused, flagged, full;
    int missing, stray; /* with a roster: on it without a submission; a grade, and not on it */
    double sum;
    double *scores;
    int bins[BINS];
    struct text names;         /* whose name on the board is not used, and why */
    struct text without;       /* who has no grade, and why; a line each */
    struct text other_labs;    /* who handed in a file that is called as another lab's */
    struct text refusals;      /* whose file was refused, so that there are no points, and why */
    struct text strays;        /* who is not on the roster; a line each */
    struct text refused_there; /* whose points the platform will not take as they are */
    struct text import;        /* the gradebook in the platform's own columns */
    char *import_name;         /* its file's name; NULL: there is no roster */
};

/* Reads the results and counts. False: `why`. Free the tables when true. */
bool tables_collect(struct tables *t, const struct batch *b, struct text *why);
void tables_free(struct tables *t);
/* The tables say what they say of everything that was handed in, or nothing at all. False: our own
 * mistake, which `why` tells. */
bool tables_account(const struct tables *t, struct text *why);
