/*
 * witness.h: the counts of a case, taken outside the process that runs the submission.
 *
 *   worker  ── journal of each call ──►  grader  ── journal, A, B ──►  witness (grading/witness)
 *                                               ◄── counts, findings, C ──
 *
 * What a worker tells of its own work (WORK, FINDING) comes from a process that the submission
 * shares. For the cases whose counts a rubric limits, the worker also keeps a journal of what
 * happened to device memory; the witness, which holds none of the submission's host code, repeats
 * it with the kernels of the program's file and counts. The counts are believed because the C that
 * comes out of them is judged like any other: who alters the journal has to make it one that
 * computes the product, with the kernels that the file holds, and is given the counts of that.
 */
#pragma once

#include "grading/src/lab/cases.h"
#include "grading/src/run/run.h"

enum testimony_end {
    TESTIMONY_NONE,      /* not asked for: nobody counts in this case */
    TESTIMONY_REPEATED,  /* these are the counts */
    TESTIMONY_DISAGREES, /* the journal does not give this product */
    TESTIMONY_STARVED,   /* the machine did not let it finish */
    TESTIMONY_CANNOT, /* it cannot be repeated, for a reason that honest programs and machines have
                       */
};

/* What a witness says of a case. */
struct testimony {
    enum testimony_end end;
    /* The process' own, with all that was recounted in its place. */
    struct work work[CASE_MAX_CALLS];
    char why[288]; /* DISAGREES and CANNOT: for people */
};

/* What a case's calls leave for the witness. */
struct journals {
    unsigned char *early; /* what happened before the first call; owned, like all of this */
    size_t early_bytes;
    struct {
        unsigned char *journal, *c;
        size_t journal_bytes, c_bytes;
    } call[CASE_MAX_CALLS];
    int calls;
};

/* Takes over what came with the greeting, and with a call that was answered. */
void journals_begin(struct journals *j, struct call_reply *greeting);
void journals_add(struct journals *j, const struct call_data *data, struct call_reply *reply);
void journals_free(struct journals *j);

struct grade_context;
struct case_result;
struct case_spec;

/* Does a check of the rubric limit counts of this case? (Not with --case,
 * which judges no checks.) */
bool witness_wanted(const struct grade_context *g, const struct case_spec *spec);

/* Has all calls of a case repeated, all of them right, and fills c->testimony; adds findings that
 * the process did not tell to c->seen. `setup` and `guard` are what the calls were made with. */
void witness_hear(struct grade_context *g, struct case_result *c, const struct worker_setup *setup,
                  struct guard_bands guard, const struct journals *j);
