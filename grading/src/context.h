/*
 * context.h: everything one grading run knows, in one place, handed to every module that needs it.
 */
#ifndef GRADING_CONTEXT_H
#define GRADING_CONTEXT_H

#include "grading/src/build.h"
#include "grading/src/cli.h"
#include "grading/src/judge.h"
#include "grading/src/labs.h"
#include "grading/src/submission.h"

/* One case's outcome. */
struct case_result {
    const struct case_spec *spec;
    struct case_plan plan;
    enum verdict verdict;
    int points;
    struct evidence evidence; /* of the first call that was not right, or of the last */
    bool shrunk;              /* `smallest` holds the same mistake in a smaller shape */
    struct evidence smallest;
};

struct grade_context {
    struct options options;
    struct paths paths;
    const struct lab_spec *lab;
    uint64_t seed;
    struct submission submission;
    bool own_file; /* the lab's own file is graded, not one named by --submission */
    struct backend backend;
    char *scratch;
    char **environment;
    struct sandbox *sandbox;
    struct build build;

    struct case_result *results; /* one for each case run so far */
    size_t result_count;
    size_t planned; /* cases to run: all, or 1 with --case */
    int points, points_possible;
    double seconds;                          /* the run took; shown, never judged */
    const struct case_result *first_failure; /* NULL: none */
    bool machine_checked;      /* whether our own submission runs here (grade.c) ... */
    struct text machine_fault; /* ... and why not, when it doesn't */
    /* Non-empty: there is no grade, and this says why. */
    struct text not_graded;
    /* Non-empty: nothing was run, and this says why it gets no points. */
    struct text refused;
    struct text refused_details;
};

/* Exit status as documented. */
enum grade_status { GRADE_FULL = 0, GRADE_PARTIAL = 1, GRADE_NONE = 2 };
enum grade_status grade_status(const struct grade_context *g);

#endif
