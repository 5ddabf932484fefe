/*
 * check_errors.h: does a submission notice when a CUDA call fails?
 *
 * The virtual GPU makes one call fail, another one in each of several runs, and the program is
 * watched: it notices if it ends with a status other than 0, aborts, or says something that it does
 * not say when nothing fails. Going on as ever, or dying of the consequences, is not noticing, nor
 * is printing every call's status in the same words whatever it is. Calls fail in the process's
 * first product, and one of each sort in a later one.
 * Frees and waits are left alone: what they return, calls around them return as well.
 */
#pragma once

#include "grading/src/run/context.h"

/* Fills in the check's verdict, summary and details. */
void check_errors(struct grade_context *g, struct check_result *r);
