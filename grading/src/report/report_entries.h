/*
 * report_entries.h: a run's result as one list of entries, from which the formats for learning
 * platforms are written.
 *
 * Cases and checks are both entries; of --answers, each answer is one. Every entry of the rubric is
 * there at any time, also before it was run, so that a result written in the middle of a run is
 * whole and says what is missing.
 *
 * What entries say is cleaned (text_add_clean): UTF-8 without control characters, bounded in lines
 * and columns. Hidden cases say nothing but their verdict. What a consumer would misread beyond
 * that is each format's own business.
 */
#pragma once

#include "grading/src/report/report.h"

enum entry_state {
    ENTRY_PASS,
    ENTRY_FAIL,       /* also: not run because the file was refused */
    ENTRY_NOT_GRADED, /* counts neither for nor against */
    ENTRY_NOT_RUN,    /* not yet */
};

struct entry {
    const char *name;    /* unique within the run */
    const char *title;   /* what is asked for, in words */
    const char *verdict; /* "pass", "wrong answer", "met", "not run", ... */
    const char *kind;    /* "case", "check" or "answer" */
    bool check, hidden;
    enum entry_state state;
    double points, possible; /* possible: also of what is not graded */
    bool bonus;              /* on top: possible is no part of any sum */
    struct text says;        /* lines; empty: nothing more to say */
};

struct entries {
    struct entry *entry;
    size_t count;
    /* What the two kinds are called: "cases" and "checks"; or "answers", NULL. */
    const char *kinds[2];
    bool graded;             /* else `why` says in one line why there is no grade */
    double points, possible; /* of what is graded; points may be more, by bonuses */
    double all;              /* of all entries: what full marks are worth */
    struct text why;
    struct text head; /* one line: lab, title, points */
    struct text says; /* about the whole: the compiler's words; lines, may be empty */
};

/* `final`: the run is over; else the result says that it is not. */
void entries_make(struct entries *e, const struct grade_context *g, bool final);
void entries_free(struct entries *e);

/* What the graded points come to when full marks are e->all: points that are not graded are not
 * lost, and bonuses are added as they are. With `kind` 0 of cases, 1 of checks, 2 of both; -1:
 * nothing of this kind is graded. */
double entries_scaled(const struct entries *e, int kind);
/* Full marks of this kind. */
double entries_full(const struct entries *e, int kind);

/* "bonus, " before the words of what is on top; "". */
const char *entry_bonus(const struct entry *e);

/* "pass", "fail", "not graded", "not run". */
const char *entry_state_name(enum entry_state s);

/* The end of a JSON format: writes and frees o. Not even escapes make it larger than `most` bytes:
 * rather than that, the members `output` of its `tests` are left out. 0: no limit. */
struct json_t;
void entries_write_json(FILE *out, struct json_t *o, size_t most, bool indent);
