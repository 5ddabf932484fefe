/*
 * rubric.h: what a lab asks for and what it is worth, read from a file.
 *
 * A lab's descriptor, labs/labN-WORDS/lab.cfg, holds its cases, its checks, their points, limits
 * and hints; docs/labs.md describes the format for instructors. Points add up to 100, with bonuses
 * on top. A second file may add hidden cases, whose points are taken from visible ones, so that the
 * sum stays 100.
 *
 * A rubric that is not exactly right is refused with file, line, what was found and what was
 * expected: an instructor's mistake must never become a student's mark.
 */
#pragma once

#include "grading/src/base/text.h"
#include "grading/src/lab/labs.h"

/* What a check looks at. All but correctness needs the virtual GPU. */
enum check_kind {
    CHECK_FINDINGS,   /* its checkers found none of these kinds, in any case */
    CHECK_COUNTS,     /* quantities of some cases' calls lie within limits */
    CHECK_ERRORS,     /* a call of CUDA that fails does not go unnoticed */
    CHECK_LEAKS,      /* repeated calls leave no more behind than the first */
    CHECK_UNFINISHED, /* nothing is still running when the function has returned */
};

#define RUBRIC_MAX_IN 8

/* One limit of CHECK_COUNTS. */
struct limit {
    char *quantity;          /* of work.h */
    double least, most;      /* NaN: no such limit */
    char *advice;            /* what a student should know when it is not kept; NULL: nothing */
    char *in[RUBRIC_MAX_IN]; /* the cases it holds for; none: all that the check looks at */
    int in_count;
};

/* What a rubric's call_seconds and seconds are where it says nothing. */
#define RUBRIC_CALL_SECONDS 10
#define RUBRIC_SECONDS      80

#define RUBRIC_MAX_LIMITS 12
#define RUBRIC_MAX_KINDS  8
#define RUBRIC_MAX_HINTS  12

struct hints {
    char *hint[RUBRIC_MAX_HINTS]; /* from a nudge to nearly the answer */
    int count;
};

struct check_spec {
    char *name;  /* unique within the lab, cases included */
    char *title; /* what is asked for, in a few words: "no two threads in conflict" */
    enum check_kind kind;
    double points; /* as a case's */
    bool bonus;
    char *section;         /* of the handouts (sections.h): "debugging.md#races"; NULL: none */
    unsigned section_line; /* of the rubric */
    /* CHECK_FINDINGS: kinds of findings; warnings do not count. */
    enum vgpu_found finds[RUBRIC_MAX_KINDS];
    int find_count;
    /* CHECK_COUNTS, CHECK_LEAKS: the cases that are looked at. Nothing is judged before the first
     * of them gives a right product; of the others, those that do. Or (in_count is 0) all cases of
     * a function. */
    char *in[RUBRIC_MAX_IN];
    int in_count;
    enum entry_point function;
    bool gate; /* CHECK_COUNTS: while it is not met, no other check is */
    struct limit limit[RUBRIC_MAX_LIMITS];
    int limits;
    struct hints hints;
};

struct rubric {
    struct lab_spec lab; /* the lab as this file describes it, with its cases */
    char *path;          /* as shown in messages */
    struct case_spec *cases;
    size_t case_count;
    struct check_spec *checks;
    size_t check_count;
    struct hints case_hints; /* for wrong products */
    int call_seconds;        /* that one call may compute, or wait without computing (patience.h) */
    int seconds;             /* the same for all that is run of a submission (budget.h) */
};

/* Does a check of the rubric that looks at this case limit that quantity there? */
bool rubric_limits(const struct rubric *r, const struct case_spec *spec, const char *quantity);

/* Reads a rubric, and hidden cases when `hidden` is not NULL. False: `why` says file, line and
 * reason, and *r is empty. */
bool rubric_load(struct rubric *r, const struct lab_spec *lab, const char *path, const char *hidden,
                 struct text *why);
void rubric_free(struct rubric *r);

/* The rubric that a lab has in the kit: ROOT/labs/FOLDER/lab.cfg. The caller frees it. */
char *rubric_path(const struct lab_spec *lab, const char *root);

/* Does a check that counts look at this case? */
bool check_looks_at(const struct check_spec *check, const struct case_spec *spec);
/* Does this limit of its hold there? */
bool limit_holds_in(const struct limit *limit, const struct case_spec *spec);

/* Points of all cases and checks without bonuses: 100 in every rubric that loads. */
double rubric_points(const struct rubric *r);
/* Those of bonuses. */
double rubric_bonus(const struct rubric *r);

/* The rubric's word for a class of shape, as reports show it: "tile-minus". */
const char *shape_class_name(enum shape_class class);

/* The rubric's word for a kind of check. */
const char *check_kind_name(enum check_kind kind);
