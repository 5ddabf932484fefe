/*
 * grade.h: one grading run from the submission's file to the last report.
 */
#pragma once

#include "grading/src/report/report.h"
#include "grading/src/run/context.h"

/* Builds, runs and judges; tells the reporters as it goes. Fills in the context's results. The
 * caller has set options, paths, lab, seed, submission and backend, and calls reporters_end. */
void grade_run(struct grade_context *g, struct reporters *reporters);

void grade_free(struct grade_context *g);
