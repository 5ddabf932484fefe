/*
 * probe.h: calls made to find out what is wrong, after grading. Their results never count.
 *
 * Probes go through the same worker and the same walls as cases. How many are made depends on what
 * they show, never on the time they take; each may take PROBE_LIMIT, and the second that takes
 * longer is the last: one may be a long shape that a kernel for large products is slow at.
 */
#pragma once

#include "grading/src/run/session.h"
#include "grading/src/run/trial.h"

#define PROBE_LIMIT 2000 /* milliseconds, of computing or of waiting (patience.h) */
#define PROBE_MOST  96   /* calls for one function */

/* What A and B hold. Small numbers never contain a zero, so that no term goes unnoticed. */
enum probe_contents {
    PROBE_SMALL,     /* integers -8 .. -1, 1 .. 8 */
    PROBE_ONES,      /* all ones: C counts the terms */
    PROBE_A_PLACES,  /* A holds its elements' numbers, B ones */
    PROBE_A_SQUARES, /* their squares */
    PROBE_B_PLACES,
    PROBE_B_SQUARES,
    PROBE_ONE_HOT,      /* A is zero but for A[1][2] = 1, B holds its elements' numbers, from 1 */
    PROBE_ONE_HOT_ONES, /* the same with B all ones: C counts with how many it is multiplied */
};

struct prober {
    struct grade_context *g;
    struct session session;
    enum entry_point entry;
    struct worker worker;
    bool running, over;
    int calls, late; /* late: those that took longer */
    uint32_t flags;  /* of every call: CALL_AT_ONCE */
};

void prober_begin(struct prober *p, struct grade_context *g, struct session session,
                  enum entry_point entry);
void prober_end(struct prober *p);

/* Makes a call. The trial it adds to `all`, or NULL when the shape is not allowed in this lab, the
 * worker does not start, or probing is over. */
struct trial *probe(struct prober *p, struct trials *all, struct shape shape,
                    enum probe_contents contents);

/* The same with room around the matrices, several times their size, so that a device function that
 * leaves them goes on: A and B lie among numbers `around`. The trial has C whether right or wrong;
 * `touched` says whether something was written outside. */
struct trial *probe_with_room(struct prober *p, struct trials *all, struct shape shape,
                              enum probe_contents contents, float around);

/* The same with these elements in A and B. */
struct trial *probe_with(struct prober *p, struct trials *all, struct shape shape, const float *a,
                         const float *b);

/* Notes which kernels a trial's call launches that nobody counted, since its shape is too large:
 * the device computes nothing this time. */
void probe_launches(struct prober *p, struct trial *t);
