/*
 * grade.h: one grading run from the submission's file to the last report.
 */
#ifndef GRADING_GRADE_H
#define GRADING_GRADE_H

#include "grading/src/context.h"
#include "grading/src/report.h"

/* Builds, runs and judges; tells the reporters as it goes. Fills in the context's results. The
 * caller has set options, paths, lab, seed, submission and backend, and calls reporters_end. */
void grade_run(struct grade_context *g, struct reporters *reporters);

void grade_free(struct grade_context *g);

/* ---- For what runs a submission's calls again: probes, checks, times, shrinking ---- */

/* What the grader needs to start a worker around the submission. */
struct worker_setup grade_worker_setup(struct grade_context *g);

/* What it needs to start one that the virtual GPU watches: the same, unless cases run on a GPU. */
struct worker_setup grade_watch_setup(struct grade_context *g);

/* Exchanges the GPU and the virtual GPU that watches it: until it is called again, `backend` and
 * `build` are the virtual GPU's. */
void grade_exchange(struct grade_context *g);

/* The guard bands for a call of this function on this backend. */
struct guard_bands grade_guards(const struct grade_context *g, enum entry_point entry);

/* Judges a call and, when the worker is of no further use, finishes it and adds what it printed. */
void grade_conclude(struct grade_context *g, struct evidence *e, struct worker *w, bool always);

/* Looks for the smallest shape that fails like `result` does; fills in result->smallest. */
void shrink_failure(struct grade_context *g, struct case_result *result);

#endif
