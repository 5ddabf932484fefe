/*
 * check_growth.h: does the host's memory grow from call to call?
 *
 * The same shape is asked for again and again, in a process of its own. What is kept for calls to
 * come is there after some of these calls, and then there is no more to keep: a buffer that grows
 * with the shapes, a table that is filled once, a ring of a few results. What goes on growing is
 * never freed. Counts what malloc has given out and, for mmap, all addresses of the process.
 */
#pragma once

#include "grading/src/run/context.h"

/* Judges the case's first shape. True, with the check's summary and details, when memory grows.
 * Where the C library does not tell how much is in use, it never does. */
bool check_growth(struct grade_context *g, const struct case_result *c, struct check_result *r);
