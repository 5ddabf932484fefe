/*
 * film_record.h: one call of the submission, watched: the submission is built once more, with
 * vgpucc -g, and the virtual GPU records the call's kernel (VGPU_FILM) inside the walls.
 *
 * A recording is never part of a grade.
 */
#pragma once

#include "grading/src/report/trace.h"
#include "grading/src/run/context.h"

/* What to record. */
struct film_order {
    const struct call_plan *plan; /* its shape and numbers; nothing is made to fail in it */
    const char *about;            /* the recording's title */
    const char *block, *warp;     /* as options say them; NULL: those of the mistake, or of a wrong
                                     element, or the first block; all warps */
    int limit; /* milliseconds, which the submission's budget pays for; 0: a person waits for it,
                  and what it costs is nobody's */
};

struct film_take {
    json_t *film; /* docs/film-format.md; without `product` */
    struct traced_product product;
};

/* False: there is no recording, and why_not says why; *take is empty then. */
bool film_record(struct grade_context *g, const struct film_order *order, struct film_take *take,
                 struct text *why_not);
void film_take_free(struct film_take *take);

/* Frees what is kept from one recording to the next: the watched build. */
void film_record_end(struct grade_context *g);
