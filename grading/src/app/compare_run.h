/*
 * compare_run.h: ./grader --compare, from the labs' files to the table (report/compare.h).
 *
 * Each lab's file is built and run as a grading runs it, behind the same walls, for one case: a
 * product of a size that all labs share. Nothing is noted as a result, and nothing earns points.
 */
#pragma once

#include "grading/src/lab/labs.h"
#include "grading/src/run/options.h"

/* Writes what the options' formats ask for. Returns an exit status: 0; 1 when a lab that was
 * begun gives no right product; 2 when the comparison could not be made. */
int compare_run(const struct options *options, const struct labs *labs);
