/*
 * observation.h: what the virtual GPU saw during a case's calls: counts of each call, and what its
 * checkers found in all of them together.
 */
#pragma once

#include "grading/src/lab/cases.h"
#include "grading/src/run/run.h"

struct observation {
    int calls; /* calls with counts; 0: nothing was observed, as on a GPU */
    struct work work[CASE_MAX_CALLS];
    /* Of a case that is neither checked nor counted: what the runtime knows of the host's calls
     * (quantity_of_host). */
    int told;
    struct work told_work[CASE_MAX_CALLS];
    struct finding_body *finding; /* owned */
    int findings;
};

/* Takes over what came with one call's reply, or only what the runtime told of it. */
void observation_add(struct observation *o, const struct call_reply *reply);
void observation_add_told(struct observation *o, const struct call_reply *reply);
void observation_free(struct observation *o);

/* The first finding of this kind, or NULL. Warnings only if asked for. */
const struct finding_body *observation_find(const struct observation *o, enum vgpu_found kind,
                                            bool warnings);
